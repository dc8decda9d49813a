// Event, target, results, then one mode after the other; a mode that fails does not stop the next.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/publish/address.h"
#include "gate/publish/archive.h"
#include "gate/publish/modes.h"

namespace gate {
namespace {

constexpr int exit_done = 0;
constexpr int exit_unpublished = 3;
constexpr std::string_view results_name = "results.json";
constexpr std::size_t trusted_results_bytes_max = 1u << 30;

/// A line of ours begins with our name, so no text in it can begin a workflow command.
void say(std::ostream& stream, const std::string& text) {
  for (const std::string& line : split(clean_text(text, 4000), '\n')) {
    stream << "gate-publish: " << line << "\n";
  }
  stream << std::flush;
}

Result<std::string> downloaded_results(const PublishOptions& options, const PublishTarget& target,
                                       GithubClient& client) {
  const Result<std::string> artifact = find_artifact(client, options, target);
  if (!artifact) return artifact.failure();
  const ArchiveCaps caps;
  const Result<std::string> zip = client.download(*artifact, caps.bytes_max);
  if (!zip) return zip.failure();
  return file_in_zip(*zip, results_name, caps);
}

Result<std::string> results_text(const PublishOptions& options, const PublishTarget& target,
                                 GithubClient& client) {
  if (options.results.empty()) {
    if (target.run_id.empty()) {
      return user_failure("no results are named", "--results FILE, FOLDER or ZIP");
    }
    return downloaded_results(options, target, client);
  }
  std::error_code error;
  if (std::filesystem::is_directory(options.results, error)) {
    return file_in_folder(options.results, results_name);
  }
  if (!options.results.ends_with(".zip")) {
    return read_file(options.results,
                     target.untrusted ? ArchiveCaps{}.bytes_max : trusted_results_bytes_max);
  }
  const Result<std::string> zip = read_file(options.results, ArchiveCaps{}.bytes_max);
  if (!zip) return zip.failure();
  return file_in_zip(*zip, results_name);
}

MarkdownFacts facts_of(const PublishOptions& options, const PublishTarget& target) {
  MarkdownFacts facts;
  facts.comment_id = options.comment_id;
  facts.head_sha = target.head_sha;
  facts.attempt = target.attempt;
  facts.artifact_url = options.artifact_url;
  facts.image = options.image;
  facts.untrusted = target.untrusted;
  if (options.repository.empty()) return facts;
  const std::string repository = options.server_url + "/" + options.repository;
  if (!target.run_id.empty()) facts.run_url = repository + "/actions/runs/" + target.run_id;
  if (!target.head_sha.empty()) facts.source_url = repository + "/blob/" + target.head_sha;
  return facts;
}

void write_outputs(const PublishOptions& options, const Published& published) {
  if (options.output_file.empty()) return;
  std::ofstream stream(options.output_file, std::ios::app);
  for (const auto& [key, value] : published.outputs) {
    // Addresses of the server only: one line, nothing a later step could be surprised by.
    if (is_below(value, options.server_url)) stream << key << "=" << value << "\n";
  }
}

bool publish_one(const Mode& mode, const Publication& publication, PublishStreams streams) {
  Result<Published> published = publication.target.untrusted && !mode.from_forks
                                    ? user_failure("a fork's results are never published this way")
                                    : mode.publish(publication);
  if (!published) {
    say(streams.err, fmt::format("{}: {}", mode.name, to_text(published.failure())));
    return false;
  }
  say(streams.out, fmt::format("{}: {}", mode.name, published->text));
  write_outputs(publication.options, *published);
  return true;
}

int publish_all(const Publication& publication, PublishStreams streams) {
  bool all = true;
  for (const std::string& wanted : publication.options.modes) {
    for (const Mode& mode : all_modes()) {
      if (mode.name == wanted) all = publish_one(mode, publication, streams) && all;
    }
  }
  return all ? exit_done : exit_unpublished;
}

int unpublished(const Failure& failure, PublishStreams streams) {
  say(streams.err, to_text(failure));
  return exit_unpublished;
}

}  // namespace

int publish(const PublishOptions& options, const Clock& clock, PublishStreams streams) {
  const Result<Event> event = read_event(options);
  if (!event) return unpublished(event.failure(), streams);
  const bool offline = std::all_of(options.modes.begin(), options.modes.end(),
                                   [](const std::string& mode) { return mode == "summary"; }) &&
                       event->name != "workflow_run";
  if (!offline && (options.token.empty() || options.repository.empty())) {
    return unpublished(user_failure("no token or no repository",
                                    "GITHUB_TOKEN in the step's env, --repository OWNER/NAME"),
                       streams);
  }
  Result<GithubClient> client = GithubClient::create({.api_url = options.api_url,
                                                      .server_url = options.server_url,
                                                      .token = options.token,
                                                      .ca_bundle = options.ca_bundle},
                                                     clock);
  if (!client) return unpublished(client.failure(), streams);
  const Result<PublishTarget> target = find_target(options, *event, *client);
  if (!target) return unpublished(target.failure(), streams);
  if (!target->nothing_to_do.empty()) {
    say(streams.out, "nothing to do: " + target->nothing_to_do);
    return exit_done;
  }
  const Result<std::string> text = results_text(options, *target, *client);
  if (!text) return unpublished(text.failure(), streams);
  const Result<Report> report = parse_report(*text, target->untrusted);
  if (!report) return unpublished(report.failure(), streams);
  PublishOptions plain = options;
  plain.server_url = client->options().server_url;
  return publish_all({plain, *target, *report, facts_of(plain, *target), *client}, streams);
}

}  // namespace gate
