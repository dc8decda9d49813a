// What gate-publish is told: by flags, and where those are silent by the variables that GitHub's
// runner sets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/base/result.h"

namespace gate {

enum class CommentPolicy { always, changes, failures, off };

struct PublishOptions {
  std::vector<std::string> modes;  // in the order given
  std::string results;             // report, folder or zip; empty: the run's artifact
  bool untrusted = false;
  std::string event_name, event_file;
  std::string repository, api_url, server_url, token, ca_bundle;
  std::string sha, ref;  // of the event, where its payload has none
  std::string run_id, attempt;
  std::string comment_id = "default";
  CommentPolicy comment_policy = CommentPolicy::changes;
  std::string bot = "github-actions[bot]";
  std::string workflow = ".github/workflows/illusion-gate.yml";  // whose fork runs are published
  std::string artifact = "illusion-gate-verdict";
  std::string artifact_url, image;
  std::string check_name = "illusion-gate report";
  std::string status_context = "illusion-gate";
  std::string category;  // SARIF
  std::string seeds_branch;
  std::string summary_file, output_file;
};

/// Reads a variable of the environment; empty if unset.
using ReadVariable = std::function<std::string(const std::string&)>;
Result<PublishOptions> parse_publish_options(const std::vector<std::string>& arguments,
                                             const ReadVariable& variable);

}  // namespace gate
