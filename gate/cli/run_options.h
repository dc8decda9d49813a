// The flags of `gate run`, as a value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/cli/candidate.h"

namespace gate {

struct RunOptions {
  std::vector<std::filesystem::path> paths;
  std::string device = "auto";
  std::string profile = "pr";
  std::string corpus;  // empty: every kernel
  std::string run_seed;
  std::optional<std::int64_t> cases;  // first entries of each plan
  std::string one_case;               // text of a case
  bool ignore_expect = false;
  bool require_all = false;
  std::string json, junit;  // files, empty: gate.toml's, else none
  std::string jsonl, html;  // files, empty: none; jsonl "-": standard output
  std::string seeds_out;
  std::string journals;     // folder that keeps the text of every case sent; empty: none
  std::string shard;
  std::optional<double> time_limit_s;
  std::string filter = "*";
  bool list_tests = false;
  std::string policy_from;  // a revision or a folder, empty: the paths' own policy
  bool allow_policy_change = false;
  std::string today;         // YYYY-MM-DD, empty: the clock's (UTC)
  std::vector<int> devices;  // GPU numbers, empty: the first
  int jobs = 1;              // kernels' columns checked at a time
  std::string colour = "auto";
  std::string sanitizer = "auto";  // on, off; auto: on in nightly
  CandidateOptions candidate;  // --stdin
};

Result<RunOptions> parse_run_options(const std::vector<std::string>& arguments);

}  // namespace gate
