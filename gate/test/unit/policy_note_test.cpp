// Policy notes as text and back, and what seeds and the base make of a failure.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/policy/note.h"
#include "gate/policy/novelty.h"

namespace gate {
namespace {

using What = PolicyNote::What;

TEST(policy_note, text_reads_back) {
  for (const What what : {What::new_contract, What::change, What::loosening, What::allowed}) {
    const PolicyNote note{what, "a:b/c d.toml", 7, "c is 1: or 2", ""};
    const auto read = parse_note(to_text(note));
    ASSERT_TRUE(read) << to_text(note);
    EXPECT_EQ(read->what, what);
    EXPECT_EQ(read->file, note.file);
    EXPECT_EQ(read->line, 7);
    EXPECT_EQ(read->text, note.text);
  }
}

TEST(policy_note, foreign_text_is_no_note) {
  for (const char* text :
       {"", "loosening", "loosening: ", "loosening: a", "loosening: a: b", "loosening: a:0: b",
        "loosening: a:x: b", "hello: a:1: b", "loosening: :1: b", "loosening: a:99999999999: b"}) {
    const auto note = parse_note(text);
    EXPECT_FALSE(note && !note->file.empty()) << text;
  }
}

TEST(policy_note, loosening_comes_first_and_once) {
  std::vector<PolicyNote> notes = {{What::new_contract, "a", 1, "n", ""},
                                   {What::loosening, "z", 1, "l", "e"},
                                   {What::change, "b", 1, "c", ""},
                                   {What::loosening, "z", 1, "l", "e"}};
  EXPECT_TRUE(has_loosening(notes));
  sort_notes(notes);
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_EQ(notes[0].what, What::loosening);
  EXPECT_EQ(notes[2].what, What::new_contract);
  notes.erase(notes.begin());
  EXPECT_FALSE(has_loosening(notes));
}

Seed seed_of(Seed::Status status, const std::string& expires = "") {
  Seed seed;
  seed.status = status;
  seed.expires = expires;
  return seed;
}

TEST(novelty, the_base_decides_before_a_seed) {
  const Seed known = seed_of(Seed::Status::known, "2030-01-31");
  const Seed open = seed_of(Seed::Status::open);
  const Seed fixed = seed_of(Seed::Status::fixed);
  const std::string today = "2030-01-31";
  const auto word = [&](BaseAnswer base, const Seed* seed) {
    return novelty_of({base, seed, false, today});
  };
  EXPECT_EQ(word(BaseAnswer::passes, nullptr), "new");
  EXPECT_EQ(word(BaseAnswer::passes, &known), "new");
  EXPECT_EQ(word(BaseAnswer::passes, &open), "new");
  EXPECT_EQ(word(BaseAnswer::passes, &fixed), "regressed");
  EXPECT_EQ(word(BaseAnswer::fails_alike, nullptr), "preexisting");
  EXPECT_EQ(word(BaseAnswer::fails_alike, &known), "known");
  EXPECT_EQ(word(BaseAnswer::fails_alike, &open), "preexisting");
  EXPECT_EQ(word(BaseAnswer::fails_alike, &fixed), "regressed");
  EXPECT_EQ(word(BaseAnswer::not_asked, nullptr), "new");
  EXPECT_EQ(word(BaseAnswer::not_asked, &known), "known");
  EXPECT_EQ(word(BaseAnswer::not_asked, &open), "new");
}

TEST(novelty, what_has_expired_blocks_and_flaky_does) {
  const Seed known = seed_of(Seed::Status::known, "2030-01-31");
  EXPECT_TRUE(blocks(novelty_of({BaseAnswer::fails_alike, &known, false, "2030-02-01"})));
  EXPECT_TRUE(blocks(novelty_of({BaseAnswer::not_asked, &known, false, "2030-02-01"})));
  EXPECT_EQ(novelty_of({BaseAnswer::passes, nullptr, true, ""}), "flaky");
  EXPECT_TRUE(blocks("flaky"));
  EXPECT_FALSE(blocks("known"));
  EXPECT_FALSE(blocks("preexisting"));
  EXPECT_TRUE(blocks("regressed"));
}

}  // namespace
}  // namespace gate
