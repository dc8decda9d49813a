// A small GitHub on the loopback interface, and gate-publish run against it in this process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/publish/json_path.h"
#include "gate/publish/publish.h"
#include "gate/test/golden/sample_report.h"
#include "gate/test/integration/loopback_server.h"
#include "gate/test/unit/zip_writer.h"

namespace gate {

using Response = httplib::Response;

inline const std::string head(40, 'c');
inline const std::string repository = "/repos/octo/kernels";

inline std::string comment(int id, const std::string& login, const std::string& body) {
  return OrderedJson{{"id", id},
                     {"user", {{"login", login}}},
                     {"body", body},
                     {"html_url", "https://github.test/c/" + std::to_string(id)}}
      .dump();
}

/// Enough of GitHub for one pull request from a fork.
struct FakeGithub {
  std::string pull_head = head;
  std::string run_path = ".github/workflows/illusion-gate.yml@main", run_event = "pull_request";
  std::string run_repository = "mallory/kernels";
  std::string comments = "[]", pulls;
  std::string zip = write_zip({{"results.json", to_json(red_report())}});
  int comment_status = 201;
  std::map<std::string, std::string> answers;  // by "METHOD path"

  void answer(const SeenRequest& request, Response& response, const std::string& own) const {
    const std::string key = request.method + " " + request.path;
    response.status = 200;
    std::string body = "{}";
    if (const auto at = answers.find(key); at != answers.end()) {
      body = at->second;
    } else if (key == "GET " + repository + "/pulls/3") {
      body = R"({"number": 3, "head": {"sha": ")" + pull_head + "\"}}";
    } else if (key == "GET " + repository + "/issues/3/comments") {
      body = comments;
    } else if (key == "POST " + repository + "/issues/3/comments") {
      response.status = comment_status;
      body = R"({"id": 9, "html_url": "https://github.test/c/9", "message": "no"})";
    } else if (key == "GET " + repository + "/actions/runs/77") {
      body = OrderedJson{{"path", run_path},
                         {"event", run_event},
                         {"head_sha", head},
                         {"head_branch", "a b&state=closed"},
                         {"run_attempt", 2},
                         {"head_repository",
                          {{"full_name", run_repository}, {"owner", {{"login", "mallory"}}}}}}
                 .dump();
    } else if (key == "GET " + repository + "/pulls") {
      body = pulls.empty() ? "[{\"number\": 3, \"head\": {\"sha\": \"" + head + "\"}}]" : pulls;
    } else if (key == "GET " + repository + "/actions/runs/77/artifacts") {
      body = R"({"artifacts": [{"id": 5, "name": "illusion-gate-verdict-2", "expired": false,)"
             R"( "size_in_bytes": 100}]})";
    } else if (key == "GET " + repository + "/actions/artifacts/5/zip") {
      response.status = 302;
      response.set_header("Location", own + "/blob");
    } else if (key == "GET /blob") {
      body = zip;
    }
    response.set_content(body, "application/json");
  }
};

class PublishFixture : public testing::Test {
 protected:
  void SetUp() override {
    auto created = TemporaryFolder::create("gate-publish-test");
    ASSERT_TRUE(static_cast<bool>(created));
    folder_.emplace(*std::move(created));
    options_.repository = "octo/kernels";
    options_.token = "secret";
    options_.summary_file = file("summary.md");
    options_.output_file = file("output");
    options_.server_url = "https://github.test";
    options_.run_id = "77";
    write("results.json", to_json(red_report()));
    options_.results = file("results.json");
    use_event(
        "pull_request",
        {{"pull_request",
          {{"number", 3}, {"head", {{"sha", head}, {"repo", {{"full_name", "octo/kernels"}}}}}}},
         {"repository", {{"full_name", "octo/kernels"}}}});
  }
  std::string file(const std::string& name) const { return (folder_->path() / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(static_cast<bool>(write_file(file(name), text)));
  }
  void use_event(const std::string& name, const OrderedJson& payload) {
    options_.event_name = name;
    options_.event_file = file("event.json");
    write("event.json", payload.dump());
  }
  void use_fork_run() {
    use_event("workflow_run", {{"workflow_run", {{"id", 77}, {"head_sha", head}}}});
    options_.results.clear();
  }
  int run(std::vector<std::string> modes) {
    server_.emplace([this](const SeenRequest& request, Response& response) {
      github_.answer(request, response, server_->url());
    });
    options_.modes = std::move(modes);
    options_.api_url = server_->url();
    std::ostringstream out, err;
    const int code = publish(options_, time_.clock(), {out, err});
    out_ = out.str();
    err_ = err.str();
    return code;
  }
  std::size_t count(const std::string& method, const std::string& path) const {
    return server_->count(method, repository + path);
  }
  OrderedJson body(const std::string& method, const std::string& path) const {
    for (const SeenRequest& request : server_->seen()) {
      if (request.method == method && request.path == repository + path) {
        return OrderedJson::parse(request.body, nullptr, false);
      }
    }
    return {};
  }

  std::optional<TemporaryFolder> folder_;
  PublishOptions options_;
  FakeGithub github_;
  std::optional<LoopbackServer> server_;
  FakeTime time_;
  std::string out_, err_;
};

}  // namespace gate
