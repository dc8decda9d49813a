// Flags of gate-publish through CLI11, and checks of every word that ends up in an address.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "gate/base/text.h"
#include "gate/publish/address.h"
#include "gate/publish/modes.h"

namespace gate {
namespace {

struct Flag {
  const char* name;
  const char* variable;  // the runner's, or empty
  std::string PublishOptions::*field;
};

const std::vector<Flag>& text_flags() {
  static const std::vector<Flag> flags = {
      {"--results", "", &PublishOptions::results},
      {"--event-name", "GITHUB_EVENT_NAME", &PublishOptions::event_name},
      {"--event", "GITHUB_EVENT_PATH", &PublishOptions::event_file},
      {"--repository", "GITHUB_REPOSITORY", &PublishOptions::repository},
      {"--api-url", "GITHUB_API_URL", &PublishOptions::api_url},
      {"--server-url", "GITHUB_SERVER_URL", &PublishOptions::server_url},
      {"--ca-bundle", "", &PublishOptions::ca_bundle},
      {"--sha", "GITHUB_SHA", &PublishOptions::sha},
      {"--ref", "GITHUB_REF", &PublishOptions::ref},
      {"--run-id", "GITHUB_RUN_ID", &PublishOptions::run_id},
      {"--attempt", "GITHUB_RUN_ATTEMPT", &PublishOptions::attempt},
      {"--comment-id", "", &PublishOptions::comment_id},
      {"--bot", "", &PublishOptions::bot},
      {"--workflow", "", &PublishOptions::workflow},
      {"--artifact", "", &PublishOptions::artifact},
      {"--artifact-url", "", &PublishOptions::artifact_url},
      {"--image", "", &PublishOptions::image},
      {"--check-name", "", &PublishOptions::check_name},
      {"--status-context", "", &PublishOptions::status_context},
      {"--category", "", &PublishOptions::category},
      {"--seeds-branch", "", &PublishOptions::seeds_branch},
      {"--summary-file", "GITHUB_STEP_SUMMARY", &PublishOptions::summary_file},
      {"--output-file", "GITHUB_OUTPUT", &PublishOptions::output_file},
  };
  return flags;
}

bool is_word(const std::string& text, std::string_view more, std::size_t bytes_max) {
  return !text.empty() && text.size() <= bytes_max &&
         std::all_of(text.begin(), text.end(), [&](char letter) {
           return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                  more.find(letter) != std::string_view::npos;
         });
}

bool is_number(const std::string& text) {
  return text.empty() ||
         (text.size() <= 20 && text.find_first_not_of("0123456789") == std::string::npos);
}

Result<CommentPolicy> policy_named(const std::string& text) {
  if (text == "always") return CommentPolicy::always;
  if (text == "changes") return CommentPolicy::changes;
  if (text == "failures") return CommentPolicy::failures;
  if (text == "off") return CommentPolicy::off;
  return user_failure("unknown --comment: " + clean_text(text, 50),
                      "one of: always changes failures off");
}

void check_modes(const PublishOptions& options, std::vector<Problem>& problems) {
  std::vector<std::string> known;
  for (const Mode& mode : all_modes()) known.emplace_back(mode.name);
  if (options.modes.empty()) {
    problems.push_back({{}, "nothing to publish is named", "one or more of: " + join(known, " ")});
  }
  for (const std::string& mode : options.modes) {
    if (std::find(known.begin(), known.end(), mode) != known.end()) continue;
    problems.push_back(
        {{}, "unknown mode: " + clean_text(mode, 50), "the modes are: " + join(known, " ")});
  }
}

void check_words(const PublishOptions& options, std::vector<Problem>& problems) {
  const auto demand = [&](bool holds, const std::string& text, const std::string& hint) {
    if (!holds) problems.push_back({{}, text, hint});
  };
  demand(
      is_word(options.comment_id, "._-", 64) && options.comment_id.find("--") == std::string::npos,
      "--comment-id is not a plain word", "letters, digits, single -, . and _");
  demand(options.repository.empty() || is_repository(options.repository),
         "--repository is not owner/name", "");
  demand(options.bot.size() <= 100 && !options.bot.empty(), "--bot is not a login", "");
  demand(options.image.empty() || is_word(options.image, "._-/:@", 300),
         "--image is not a name of an image", "");
  demand(is_word(options.artifact, "._-", 100), "--artifact is not a plain name", "");
  demand(options.seeds_branch.empty() || is_word(options.seeds_branch, "._-/", 100),
         "--seeds-branch is not a plain branch name", "");
  demand(is_number(options.run_id) && is_number(options.attempt),
         "--run-id and --attempt are numbers", "");
  demand(options.artifact_url.empty() || origin_of(options.artifact_url),
         "--artifact-url is not an address", "");
  demand(options.check_name.size() <= 100 && options.status_context.size() <= 100,
         "--check-name and --status-context are at most 100 bytes", "");
}

}  // namespace

Result<PublishOptions> parse_publish_options(const std::vector<std::string>& arguments,
                                             const ReadVariable& variable) {
  PublishOptions options;
  options.api_url = "https://api.github.com";
  options.server_url = "https://github.com";
  CLI::App app;
  std::string comment = "changes";
  for (const Flag& flag : text_flags()) {
    const std::string set = *flag.variable == '\0' ? std::string() : variable(flag.variable);
    if (!set.empty()) options.*flag.field = set;
    app.add_option(flag.name, options.*flag.field);
  }
  app.add_option("--comment", comment);
  app.add_flag("--untrusted", options.untrusted);
  app.add_option("MODE", options.modes);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Error& error) {
    return user_failure(clean_text(error.what(), 300), "gate-publish --help lists the flags");
  }
  // Never a flag: an argument is visible to every process of the machine.
  options.token = variable("GITHUB_TOKEN");
  const Result<CommentPolicy> policy = policy_named(comment);
  if (!policy) return policy.failure();
  options.comment_policy = *policy;
  std::vector<Problem> problems;
  check_modes(options, problems);
  check_words(options, problems);
  const bool unsafe_token = std::any_of(options.token.begin(), options.token.end(),
                                        [](char letter) { return letter <= ' ' || letter > '~'; });
  if (unsafe_token) problems.push_back({{}, "GITHUB_TOKEN holds characters no token has", ""});
  if (!problems.empty()) return Failure{Fault::user, std::move(problems)};
  return options;
}

}  // namespace gate
