// The GitHub client against loopback servers that misbehave in every way it has to survive.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>

#include "gate/publish/client.h"
#include "gate/test/integration/loopback_server.h"

namespace gate {
namespace {

using Response = httplib::Response;

void json(Response& response, int status, const std::string& body) {
  response.status = status;
  response.set_content(body, "application/json");
}

GithubClient client_of(const LoopbackServer& server, FakeTime& time, long timeout_ms = 5000) {
  Result<GithubClient> client = GithubClient::create(
      {.api_url = server.url(), .token = "secret", .timeout_ms = timeout_ms}, time.clock());
  check(static_cast<bool>(client), "a client of a loopback address can be made");
  return *std::move(client);
}

/// Answers of one status, then of 200.
LoopbackServer::Answering failing(int times, std::function<void(Response&)> failure) {
  auto left = std::make_shared<std::atomic<int>>(times);
  return [left, failure](const SeenRequest&, Response& response) {
    if (left->fetch_sub(1) > 0) return failure(response);
    json(response, 200, "{\"id\": 1}");
  };
}

TEST(Client, SendsTheHeadersGithubAsksFor) {
  LoopbackServer server([](const SeenRequest&, Response& response) { json(response, 200, "{}"); });
  FakeTime time;
  GithubClient client = client_of(server, time);
  EXPECT_TRUE(client.get("/repos/a/b").ok());
  EXPECT_TRUE(client.write({"POST", "/repos/a/b", {{"x", 1}}}).ok());
  const SeenRequest get = server.seen()[0], post = server.seen()[1];
  EXPECT_EQ(get.header("Accept"), "application/vnd.github+json");
  EXPECT_EQ(get.header("Authorization"), "Bearer secret");
  EXPECT_EQ(get.header("X-GitHub-Api-Version"), "2022-11-28");
  EXPECT_TRUE(get.header("User-Agent").starts_with("illusion-gate/"));
  EXPECT_EQ(post.header("Content-Type"), "application/json");
  EXPECT_EQ(post.body, "{\"x\":1}");
}

TEST(Client, WritesAreASecondApartAndNewCommentsThree) {
  LoopbackServer server([](const SeenRequest&, Response& response) { json(response, 201, "{}"); });
  FakeTime time;
  GithubClient client = client_of(server, time);
  (void)client.get("/a");
  (void)client.write({"POST", "/a", OrderedJson::object(), true});
  EXPECT_TRUE(time.waits.empty());
  (void)client.write({"PATCH", "/a", OrderedJson::object()});
  EXPECT_EQ(time.waits, (std::vector<std::int64_t>{1000}));
  (void)client.write({"POST", "/a", OrderedJson::object(), true});
  EXPECT_EQ(time.waits, (std::vector<std::int64_t>{1000, 2000}));
}

TEST(Client, ServerErrorsAreRepeated) {
  LoopbackServer server(failing(4, [](Response& response) { json(response, 502, "oops"); }));
  FakeTime time;
  EXPECT_TRUE(client_of(server, time).get("/a").ok());
  EXPECT_EQ(server.seen().size(), 5u);
  ASSERT_EQ(time.waits.size(), 4u);
  EXPECT_GE(time.waits[0], 3000);
  EXPECT_GE(time.waits[3], 10'125);
}

TEST(Client, FiveServerErrorsAreEnough) {
  LoopbackServer server(failing(99, [](Response& response) { json(response, 500, "{}"); }));
  FakeTime time;
  const Reply reply = client_of(server, time).get("/a");
  EXPECT_EQ(reply.status, 500);
  EXPECT_EQ(server.seen().size(), 5u);
}

TEST(Client, RetryAfterIsObeyed) {
  LoopbackServer server(failing(1, [](Response& response) {
    json(response, 429, "{}");
    response.set_header("Retry-After", "7");
  }));
  FakeTime time;
  EXPECT_TRUE(client_of(server, time).get("/a").ok());
  EXPECT_EQ(time.waits, (std::vector<std::int64_t>{7000}));
}

TEST(Client, ARateLimitWithoutHeadersWaitsAMinute) {
  LoopbackServer server(failing(1, [](Response& response) { json(response, 429, "{}"); }));
  FakeTime time;
  EXPECT_TRUE(client_of(server, time).get("/a").ok());
  EXPECT_EQ(time.waits, (std::vector<std::int64_t>{60'000}));
}

TEST(Client, ASecondaryLimitWaitsAMinuteThenTwo) {
  LoopbackServer server(failing(2, [](Response& response) {
    json(response, 403, R"({"message": "You have exceeded a secondary rate limit"})");
  }));
  FakeTime time;
  EXPECT_TRUE(client_of(server, time).get("/a").ok());
  EXPECT_EQ(time.waits, (std::vector<std::int64_t>{60'000, 120'000}));
}

TEST(Client, ALimitBeyondTheBudgetIsGivenUp) {
  LoopbackServer server(failing(9, [](Response& response) {
    json(response, 403, "{\"message\": \"API rate limit exceeded\"}");
    response.set_header("X-RateLimit-Remaining", "0");
    response.set_header("X-RateLimit-Reset", "1700003600");
  }));
  FakeTime time;
  EXPECT_EQ(client_of(server, time).get("/a").status, 403);
  EXPECT_TRUE(time.waits.empty());
}

TEST(Client, DenialsAreTriedOnceMoreAndNameThePermission) {
  for (const int status : {401, 403, 404}) {
    LoopbackServer server(failing(99, [status](Response& response) {
      json(response, status, "{\"message\": \"Resource not accessible by integration\"}");
      response.set_header("X-Accepted-GitHub-Permissions", "pull_requests=write");
    }));
    FakeTime time;
    const Reply reply = client_of(server, time).write({"POST", "/a", OrderedJson::object()});
    EXPECT_EQ(reply.status, status);
    EXPECT_EQ(server.seen().size(), 2u);
    EXPECT_EQ(time.waits[0], 2000);
    const std::string text = to_text(failure_of(reply, "comment", "pull-requests: write"));
    EXPECT_NE(text.find("Resource not accessible"), std::string::npos);
    EXPECT_NE(text.find("pull_requests=write"), std::string::npos);
  }
}

TEST(Client, InvalidRequestsAreNeverRepeated) {
  for (const int status : {400, 409, 410, 422, 451}) {
    LoopbackServer server(failing(99, [status](Response& response) {
      json(response, status,
           R"({"message": "Validation Failed", "errors": [{"field": "body", "code": "invalid"}]})");
    }));
    FakeTime time;
    const Reply reply = client_of(server, time).write({"POST", "/a", OrderedJson::object()});
    EXPECT_EQ(server.seen().size(), 1u);
    EXPECT_NE(reply.problem.find("Validation Failed, body, invalid"), std::string::npos);
  }
}

TEST(Client, ATruncatedBodyIsNoAnswer) {
  LoopbackServer server(failing(1, [](Response& response) {
    response.set_content_provider(1000, "application/json",
                                  [](std::size_t, std::size_t, httplib::DataSink& sink) {
                                    sink.write("{\"id\"", 5);
                                    return false;
                                  });
  }));
  FakeTime time;
  EXPECT_TRUE(client_of(server, time).get("/a").ok());
  EXPECT_EQ(server.seen().size(), 2u);
}

TEST(Client, BrokenJsonIsNoAnswer) {
  LoopbackServer server(failing(1, [](Response& response) { json(response, 200, "{\"id\":"); }));
  FakeTime time;
  EXPECT_TRUE(client_of(server, time).get("/a").ok());
  EXPECT_EQ(server.seen().size(), 2u);
}

TEST(Client, ASlowServerIsGivenUpAfterFiveTries) {
  LoopbackServer server([](const SeenRequest&, Response& response) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    json(response, 200, "{}");
  });
  FakeTime time;
  const Reply reply = client_of(server, time, 50).get("/a");
  EXPECT_EQ(reply.status, 0);
  EXPECT_FALSE(reply.ok());
  EXPECT_EQ(time.waits.size(), 4u);
}

TEST(Client, ACreateThatWentUnansweredIsLookedForFirst) {
  LoopbackServer server(failing(1, [](Response& response) { json(response, 502, ""); }));
  FakeTime time;
  WriteRequest request{"POST", "/comments", OrderedJson::object(), true};
  request.find_done = [] { return std::optional(OrderedJson{{"id", 5}}); };
  const Reply reply = client_of(server, time).write(request);
  EXPECT_TRUE(reply.ok());
  EXPECT_EQ(reply.json["id"], 5);
  EXPECT_EQ(server.count("POST", "/comments"), 1u);
}

TEST(Client, PagesAreFollowedOnTheSameHostOnly) {
  LoopbackServer foreign([](const SeenRequest&, Response& response) { json(response, 200, "[]"); });
  std::string own;
  LoopbackServer server([&](const SeenRequest& request, Response& response) {
    json(response, 200, "[1]");
    const std::string next = request.query.find("page=2") == std::string::npos
                                 ? own + "/list?page=2"
                                 : foreign.url() + "/list?page=3";
    response.set_header("Link", "<" + next + ">; rel=\"next\"");
  });
  own = server.url();
  FakeTime time;
  const auto pages = client_of(server, time).get_pages("/list?page=1");
  ASSERT_TRUE(static_cast<bool>(pages));
  EXPECT_EQ(pages->size(), 2u);
  EXPECT_TRUE(foreign.seen().empty());
}

TEST(Client, PagesEndAtTheCap) {
  std::string own;
  LoopbackServer server([&](const SeenRequest&, Response& response) {
    json(response, 200, "[]");
    response.set_header("Link", "<" + own + "/list>; rel=\"next\"");
  });
  own = server.url();
  FakeTime time;
  EXPECT_EQ(client_of(server, time).get_pages("/list")->size(), 30u);
}

TEST(Client, DownloadsGoWithoutTheTokenToTheOtherHost) {
  LoopbackServer storage([](const SeenRequest&, Response& response) {
    response.set_content("bytes", "application/zip");
  });
  LoopbackServer server([&](const SeenRequest&, Response& response) {
    response.status = 302;
    response.set_header("Location", storage.url() + "/blob?sig=1");
  });
  FakeTime time;
  const Result<std::string> bytes = client_of(server, time).download("/zip", 100);
  ASSERT_TRUE(static_cast<bool>(bytes));
  EXPECT_EQ(*bytes, "bytes");
  EXPECT_EQ(server.seen()[0].header("Authorization"), "Bearer secret");
  EXPECT_EQ(storage.seen()[0].header("Authorization"), "");
}

TEST(Client, DownloadsStopAtTheirCap) {
  LoopbackServer storage([](const SeenRequest&, Response& response) {
    response.set_content(std::string(101, 'x'), "application/zip");
  });
  LoopbackServer server([&](const SeenRequest&, Response& response) {
    response.status = 302;
    response.set_header("Location", storage.url() + "/blob");
  });
  FakeTime time;
  EXPECT_FALSE(client_of(server, time).download("/zip", 100));
  EXPECT_EQ(storage.seen().size(), 1u);
}

TEST(Client, OtherRedirectsToOtherHostsAreRefused) {
  LoopbackServer foreign([](const SeenRequest&, Response& response) { json(response, 200, "{}"); });
  LoopbackServer server([&](const SeenRequest&, Response& response) {
    response.status = 307;
    response.set_header("Location", foreign.url() + "/repos/x");
  });
  FakeTime time;
  GithubClient client = client_of(server, time);
  EXPECT_FALSE(client.get("/a").ok());
  EXPECT_FALSE(client.write({"POST", "/a", OrderedJson::object()}).ok());
  EXPECT_TRUE(foreign.seen().empty());
}

TEST(Client, ARenamedRepositoryIsFollowed) {
  std::string own;
  LoopbackServer server([&](const SeenRequest& request, Response& response) {
    if (request.path == "/new") return json(response, 200, "{\"id\": 2}");
    response.status = 301;
    response.set_header("Location", own + "/new");
  });
  own = server.url();
  FakeTime time;
  EXPECT_EQ(client_of(server, time).get("/old").json["id"], 2);
  EXPECT_FALSE(client_of(server, time).write({"POST", "/old", OrderedJson::object()}).ok());
}

TEST(Client, AnswersHaveACap) {
  LoopbackServer server([](const SeenRequest&, Response& response) {
    json(response, 200, "[\"" + std::string(1000, 'x') + "\"]");
  });
  FakeTime time;
  Result<GithubClient> client = GithubClient::create(
      {.api_url = server.url(), .token = "secret", .answer_bytes_max = 1000}, time.clock());
  ASSERT_TRUE(static_cast<bool>(client));
  EXPECT_FALSE(client->get("/a").ok());
  EXPECT_EQ(server.seen().size(), 1u);
}

}  // namespace
}  // namespace gate
