// JUnit as an independent reader sees it: well-formed, flat, counts equal to the children.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pugixml.hpp>
#include <set>

#include "gate/test/golden/situations.h"

namespace gate {
namespace {

using namespace situations;  // NOLINT: the sample of this test

struct Read {
  int tests = 0, failures = 0, errors = 0, skipped = 0;
};

Read children_of(const pugi::xml_node& suite) {
  Read read;
  for (const pugi::xml_node& test : suite.children("testcase")) {
    ++read.tests;
    if (test.child("failure")) ++read.failures;
    if (test.child("error")) ++read.errors;
    if (test.child("skipped")) ++read.skipped;
    for (const char* name : {"name", "classname", "file", "line", "time"}) {
      EXPECT_TRUE(test.attribute(name)) << name;
    }
  }
  return read;
}

void expect_counts(const pugi::xml_node& node, const Read& read) {
  EXPECT_EQ(node.attribute("tests").as_int(-1), read.tests);
  EXPECT_EQ(node.attribute("failures").as_int(-1), read.failures);
  EXPECT_EQ(node.attribute("errors").as_int(-1), read.errors);
  EXPECT_EQ(node.attribute("skipped").as_int(-1), read.skipped);
}

pugi::xml_document parsed(const Report& report) {
  pugi::xml_document document;
  const std::string text = to_junit(report);
  EXPECT_TRUE(document.load_string(text.c_str()));
  return document;
}

TEST(Junit, counts_equal_the_children_on_both_levels_and_suites_are_flat) {
  const pugi::xml_document document = parsed(sample_report());
  const pugi::xml_node root = document.child("testsuites");
  Read total;
  std::set<std::string> names;
  for (const pugi::xml_node& suite : root.children("testsuite")) {
    EXPECT_FALSE(suite.child("testsuite"));
    EXPECT_TRUE(names.insert(suite.attribute("name").value()).second);
    const Read read = children_of(suite);
    expect_counts(suite, read);
    total.tests += read.tests;
    total.failures += read.failures;
    total.errors += read.errors;
    total.skipped += read.skipped;
  }
  expect_counts(root, total);
  EXPECT_EQ(total.tests, 10);  // 8 tests, one not selected, one left out
  EXPECT_EQ(total.failures, 1);
  EXPECT_EQ(total.errors, 1);
  EXPECT_EQ(total.skipped, 3);
}

TEST(Junit, hostile_text_arrives_as_text) {
  Report report = sample_report();
  TestRow& test = report.rows[1].tests[1];
  test.message = "a<b>&\"'\x01\x1b[31m\xff\xfe\n\tc \xef\xbf\xbf";
  test.body = "]]></failure><testcase name=\"evil\"/>\x02";
  test.name = "f32/<evil attribute=\"1\">";
  const pugi::xml_document document = parsed(report);
  const pugi::xml_node root = document.child("testsuites");
  EXPECT_EQ(root.attribute("tests").as_int(), 10);
  const pugi::xml_node failed = root.find_node(
      [](const pugi::xml_node& node) { return node.name() == std::string("failure"); });
  EXPECT_EQ(failed.parent().attribute("name").value(), test.name);
  EXPECT_NE(std::string(failed.text().get()).find("]]></failure>"), std::string::npos);
  const std::string xml = to_junit(report);
  for (const char letter : xml) {
    EXPECT_TRUE(static_cast<unsigned char>(letter) >= 0x20 || letter == '\n') << int(letter);
  }
  EXPECT_EQ(xml.find("\xff\xfe"), std::string::npos);
  EXPECT_EQ(xml.find("\xef\xbf\xbf"), std::string::npos);
}

TEST(Junit, long_texts_are_cut) {
  Report report = sample_report();
  report.rows[1].tests[1].message = std::string(100'000, 'm');
  report.rows[1].tests[1].body = std::string(100'000, 'b');
  EXPECT_LT(to_junit(report).size(), 30'000u);
}

TEST(Junit, the_environment_problem_is_an_error) {
  Report report;
  report.environment_problem = "no GPU";
  const pugi::xml_document document = parsed(report);
  EXPECT_EQ(document.child("testsuites").attribute("errors").as_int(), 1);
}

}  // namespace
}  // namespace gate
