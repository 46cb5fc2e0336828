#include "http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "raw_client.h"

namespace edgewise::http {
namespace {

using testing::HasSubstr;
using testing::Not;

Response Echo(const Request& request) {
  std::string text = request.method + " " + request.path;
  for (const auto& [name, value] : request.parameters) {
    text += " {" + name + "=" + value + "}";
  }
  for (const auto& [name, value] : request.query) {
    text += " ?" + name + "=" + value;
  }
  text += " from " + request.peer + ": " + request.body;
  return {.content_type = kTextType, .body = text};
}

Router EchoRouter() {
  Router router;
  router.Add({"GET", "/echo/{name}", Echo});
  router.Add({"POST", "/echo", Echo});
  router.Add({"GET", "/secret", Echo, Access::kToken});
  router.Add({"GET", "/throw", [](const Request&) -> Response {
                throw std::runtime_error("out of luck");
              }});
  router.Add({"GET", "/shared", [](const Request&) -> Response {
                static const auto text =
                    std::make_shared<const std::string>("for all");
                return {.shared_body = text};
              }});
  Route slow{"POST", "/slow", Echo};
  slow.slow = true;
  router.Add(slow);
  return router;
}

class ServerTest : public testing::Test {
 protected:
  void Start(ServerSettings settings = {}) {
    server_ = StartForTest(std::move(settings), EchoRouter());
    ASSERT_NE(server_, nullptr);
  }
  std::string AskFor(std::string_view method, std::string_view path,
                     std::string_view headers = "",
                     std::string_view body = "") {
    return Ask(server_->port(), method, path, headers, body);
  }
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, HandlersSeeTheRequest) {
  Start();
  EXPECT_EQ(BodyOf(AskFor("GET", "/echo/a%20b?x=1&y=%2F")),
            "GET /echo/a b {name=a b} ?x=1 ?y=/ from 127.0.0.1: ");
  const std::string answer = AskFor("POST", "/echo", "", "hello");
  EXPECT_EQ(StatusOf(answer), 200);
  EXPECT_THAT(answer, HasSubstr("Content-Type: text/plain; charset=utf-8\r\n"));
  EXPECT_EQ(BodyOf(answer), "POST /echo from 127.0.0.1: hello");
}

TEST_F(ServerTest, SlowRoutesAnswerTheSame) {
  Start();
  EXPECT_EQ(BodyOf(AskFor("POST", "/slow", "", "hello")),
            "POST /slow from 127.0.0.1: hello");
}

TEST_F(ServerTest, OneTextCanAnswerMany) {
  Start();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(BodyOf(AskFor("GET", "/shared")), "for all");
  }
}

TEST_F(ServerTest, HeadHasNoBody) {
  Start();
  const std::string answer = AskFor("HEAD", "/echo/x");
  EXPECT_EQ(StatusOf(answer), 200);
  EXPECT_THAT(answer, HasSubstr("Content-Length: "));
  EXPECT_EQ(BodyOf(answer), "");
}

TEST_F(ServerTest, UnknownPathsAndMethodsAreJsonErrors) {
  Start();
  const std::string missing = AskFor("GET", "/none");
  EXPECT_EQ(StatusOf(missing), 404);
  EXPECT_THAT(BodyOf(missing), HasSubstr("\"code\":\"not_found\""));
  const std::string wrong = AskFor("PUT", "/echo", "", "x");
  EXPECT_EQ(StatusOf(wrong), 405);
  EXPECT_THAT(wrong, HasSubstr("Allow: POST\r\n"));
  EXPECT_THAT(BodyOf(wrong), HasSubstr("\"code\":\"method_not_allowed\""));
  EXPECT_EQ(server_->traffic().unmatched.load(), 2U);
}

TEST_F(ServerTest, HandlerThatThrowsIsA500) {
  Start();
  const std::string answer = AskFor("GET", "/throw");
  EXPECT_EQ(StatusOf(answer), 500);
  EXPECT_THAT(BodyOf(answer), HasSubstr("out of luck"));
  EXPECT_EQ(StatusOf(AskFor("GET", "/echo/x")), 200);
}

TEST_F(ServerTest, TokenIsAskedForWhereTheServerHasOne) {
  ServerSettings settings;
  settings.tokens = {"0123456789abcdef"};
  Start(settings);
  const std::string refused = AskFor("GET", "/secret");
  EXPECT_EQ(StatusOf(refused), 401);
  EXPECT_THAT(refused, HasSubstr("WWW-Authenticate: Bearer"));
  EXPECT_EQ(StatusOf(AskFor("GET", "/secret",
                            "Authorization: Bearer 0123456789abcdeX\r\n")),
            401);
  EXPECT_EQ(StatusOf(AskFor("GET", "/secret",
                            "Authorization: Bearer 0123456789abcdef\r\n")),
            200);
  EXPECT_EQ(StatusOf(AskFor("GET", "/echo/x")), 200);
}

TEST_F(ServerTest, OffLoopbackItNeedsAToken) {
  ServerSettings settings;
  settings.host = "0.0.0.0";
  const auto refused = StartServer(settings, EchoRouter());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(refused.error().message, HasSubstr("--token-file"));
  settings.tokens = {"0123456789abcdef"};
  EXPECT_TRUE(StartServer(settings, EchoRouter()).ok());
  settings.tokens = {};
  Router open;
  open.Add({"GET", "/", Echo});
  EXPECT_TRUE(StartServer(settings, open).ok());
}

TEST_F(ServerTest, TakenPortIsBusy) {
  Start();
  ServerSettings settings;
  settings.port = server_->port();
  const auto second = StartServer(settings, EchoRouter());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
}

TEST_F(ServerTest, OneConnectionCarriesManyRequests) {
  Start();
  RawClient client(server_->port());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(client.Send("GET /echo/" + std::to_string(i) +
                            " HTTP/1.1\r\nHost: test\r\n\r\n"));
    EXPECT_THAT(client.ReadUntil("from 127.0.0.1: "),
                HasSubstr("{name=" + std::to_string(i) + "}"));
  }
}

TEST_F(ServerTest, RequestsAreCounted) {
  Start();
  (void)AskFor("GET", "/echo/x");
  (void)AskFor("GET", "/throw");
  EXPECT_THAT(server_->traffic().Of(0).by_status,
              testing::ElementsAre(testing::Pair(200, 1)));
  EXPECT_THAT(server_->traffic().Of(3).by_status,
              testing::ElementsAre(testing::Pair(500, 1)));
}

TEST_F(ServerTest, StopWaitsForTheRequestThatIsBeingAnswered) {
  std::mutex mutex;
  std::condition_variable changed;
  bool inside = false;
  bool may_go = false;
  Router router;
  Route route{"GET", "/wait", [&](const Request&) -> Response {
                std::unique_lock lock(mutex);
                inside = true;
                changed.notify_all();
                changed.wait(lock, [&] { return may_go; });
                return {.body = "done"};
              }};
  route.slow = true;
  router.Add(route);
  ServerSettings settings;
  settings.stop_limit = std::chrono::minutes(2);
  const auto server = StartForTest(settings, router);
  std::string answer;
  std::thread client([&] { answer = Ask(server->port(), "GET", "/wait"); });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return inside; });
  }
  std::thread stopper([&] { server->Stop(); });
  {
    const std::lock_guard lock(mutex);
    may_go = true;
  }
  changed.notify_all();
  stopper.join();
  client.join();
  EXPECT_EQ(BodyOf(answer), "done");
}

}  // namespace
}  // namespace edgewise::http
