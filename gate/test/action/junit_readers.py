#!/usr/bin/env python3
"""JUnit of a red run, read by two independent libraries (junitparser over libxml2, and the standard
library's expat): both must agree with the JSON report in every count, verdict, file and line."""
# SPDX-License-Identifier: Apache-2.0
import collections
import json
import sys
import xml.etree.ElementTree

import junitparser

COLOURS = {"pass": "passed", "unsupported": "error", "not_checked": "error",
           "environment": "error"}


def expected_tests(report):
    """(suite, name) -> verdict, file, line, as the JSON report has it."""
    tests = {}
    for row in report["rows"]:
        for test in row["tests"]:
            verdict = "skipped" if test["skipped"] else COLOURS.get(test["kind"], "failure")
            tests[(test["suite"], test["name"])] = (verdict, test["file"], test["line"])
    return tests


def by_junitparser(path):
    document = junitparser.JUnitXml.fromfile(path)
    tests, counts = {}, collections.Counter()
    for suite in document:
        for key in ("tests", "failures", "errors", "skipped"):
            counts[key] += getattr(suite, key)
        for case in suite:
            results = case.result
            names = {junitparser.Failure: "failure", junitparser.Error: "error",
                     junitparser.Skipped: "skipped"}
            verdict = names[type(results[0])] if results else "passed"
            tests[(case.classname, case.name)] = (verdict, case._elem.get("file"),
                                                  int(case._elem.get("line")))
    top = {key: int(getattr(document, key)) for key in ("tests", "failures", "errors", "skipped")}
    return tests, dict(counts), top


def by_expat(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    tests, counts = {}, collections.Counter()
    for suite in root.findall("testsuite"):
        for key in ("tests", "failures", "errors", "skipped"):
            counts[key] += int(suite.get(key))
        for case in suite.findall("testcase"):
            found = [tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None]
            assert len(found) <= 1, found
            tests[(case.get("classname"), case.get("name"))] = (
                found[0] if found else "passed", case.get("file"), int(case.get("line")))
    top = {key: int(root.get(key)) for key in ("tests", "failures", "errors", "skipped")}
    return tests, dict(counts), top


def main():
    junit, results = sys.argv[1:]
    with open(results, encoding="utf-8") as file:
        report = json.load(file)
    wanted = expected_tests(report)
    told = report["run"]["counts"]
    failed = 0
    for reader in (by_junitparser, by_expat):
        tests, counts, top = reader(junit)
        mine = collections.Counter(verdict for verdict, _, _ in tests.values())
        beside = {key: value for key, value in tests.items() if key not in wanted}
        checks = {
            "every test of the report is there, with verdict, file and line":
                {key: tests.get(key) for key in wanted} == wanted,
            "nothing else but what was not selected": all(
                value[0] == "skipped" for value in beside.values()),
            "suites' attributes equal their children": counts == {
                "tests": len(tests), "failures": mine["failure"], "errors": mine["error"],
                "skipped": mine["skipped"]},
            "the top equals the suites": top == counts,
            "failures are the report's": mine["failure"] == told["tests_failed"] > 0,
            "lines are those of kernels": all(
                line >= 1 for verdict, _, line in tests.values() if verdict == "failure") and any(
                line > 1 for verdict, _, line in tests.values() if verdict == "failure"),
        }
        for name, holds in checks.items():
            if not holds:
                failed += 1
                print(f"FAILED: {reader.__name__}: {name}: {top} {counts} {dict(mine)}")
    print(f"{12 - failed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
