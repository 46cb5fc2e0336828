// What clients do that they should not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "http/server.h"
#include "raw_client.h"

namespace edgewise::http {
namespace {

using testing::HasSubstr;

Router SmallRouter() {
  Router router;
  Route route{"POST", "/", [](const Request& request) -> Response {
                return {.body = std::to_string(request.body.size())};
              }};
  route.max_body_bytes = 1000;
  router.Add(route);
  return router;
}

TEST(ServerLimitsTest, BodyAsLargeAsAllowedIsTaken) {
  const auto server = StartForTest({}, SmallRouter());
  EXPECT_EQ(
      BodyOf(Ask(server->port(), "POST", "/", "", std::string(1000, 'x'))),
      "1000");
}

TEST(ServerLimitsTest, LargerBodyIsRefusedAndTheClientSeesWhy) {
  const auto server = StartForTest({}, SmallRouter());
  const std::string answer =
      Ask(server->port(), "POST", "/", "", std::string(1 << 20, 'x'));
  EXPECT_EQ(StatusOf(answer), 413);
  EXPECT_THAT(BodyOf(answer), HasSubstr("\"code\":\"too_large\""));
}

TEST(ServerLimitsTest, LargerBodyOfUnknownLengthIsRefused) {
  const auto server = StartForTest({}, SmallRouter());
  RawClient client(server->port());
  ASSERT_TRUE(
      client.Send("POST / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
                  "Transfer-Encoding: chunked\r\n\r\n"));
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(client.Send("100\r\n" + std::string(256, 'x') + "\r\n"));
  }
  ASSERT_TRUE(client.Send("0\r\n\r\n"));
  EXPECT_EQ(StatusOf(client.ReadAll()), 413);
}

TEST(ServerLimitsTest, BodyFarTooLargeIsRefusedBeforeItComes) {
  const auto server = StartForTest({}, SmallRouter());
  RawClient client(server->port());
  ASSERT_TRUE(
      client.Send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: "
                  "999999999999\r\n\r\n"));
  EXPECT_EQ(StatusOf(client.ReadAll()), 413);
}

TEST(ServerLimitsTest, WhoAsksFirstIsToldBeforeTheBodyComes) {
  const auto server = StartForTest({}, SmallRouter());
  RawClient client(server->port());
  ASSERT_TRUE(
      client.Send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5000\r\n"
                  "Expect: 100-continue\r\n\r\n"));
  EXPECT_EQ(StatusOf(client.ReadUntil("\r\n\r\n")), 413);
}

TEST(ServerLimitsTest, BodiesOfAllTogetherHaveALimit) {
  ServerSettings settings;
  settings.body_budget_bytes = 500;
  const auto server = StartForTest(settings, SmallRouter());
  const auto ask = [&](size_t size) {
    return Ask(server->port(), "POST", "/", "", std::string(size, 'x'));
  };
  const std::string refused = ask(800);
  EXPECT_EQ(StatusOf(refused), 503);
  EXPECT_THAT(BodyOf(refused), HasSubstr("\"code\":\"busy\""));
  // What a request took is given back, whether it was answered or refused.
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(StatusOf(ask(400)), 200);
  }
}

TEST(ServerLimitsTest, HugeHeadersAreRefused) {
  const auto server = StartForTest({}, SmallRouter());
  const int status =
      StatusOf(Ask(server->port(), "POST", "/",
                   "X-Large: " + std::string(100'000, 'x') + "\r\n", "x"));
  EXPECT_TRUE(status == 431 || status == 0) << status;
  EXPECT_EQ(StatusOf(Ask(server->port(), "POST", "/", "", "x")), 200);
}

TEST(ServerLimitsTest, RubbishIsNotAnswered) {
  const auto server = StartForTest({}, SmallRouter());
  for (const char* rubbish :
       {"\r\n\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02",
        "POST / HTTP/9\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    RawClient client(server->port());
    (void)client.Send(rubbish);
    client.Close();
  }
  EXPECT_EQ(StatusOf(Ask(server->port(), "POST", "/", "", "x")), 200);
}

TEST(ServerLimitsTest, IdleClientIsCutOff) {
  ServerSettings settings;
  settings.request_limit = std::chrono::milliseconds(100);
  const auto server = StartForTest(settings, SmallRouter());
  RawClient idle(server->port());
  RawClient halfway(server->port());
  ASSERT_TRUE(halfway.Send("POST / HTTP/1.1\r\nHo"));
  EXPECT_EQ(idle.ReadAll(), "");  // returns once it is closed
  (void)halfway.ReadAll();
  EXPECT_GE(server->traffic().cut.load(), 2U);
}

TEST(ServerLimitsTest, CrowdOfIdleClientsMakesRoomForOthers) {
  ServerSettings settings;
  settings.connection_limit = 8;
  settings.request_limit = std::chrono::hours(1);
  const auto server = StartForTest(settings, SmallRouter());
  std::list<RawClient> idle;
  for (int i = 0; i < 16; ++i) {
    idle.emplace_back(server->port());
  }
  EXPECT_EQ(StatusOf(Ask(server->port(), "POST", "/", "", "x")), 200);
}

TEST(ServerLimitsTest, SlowRoutesBeyondTheQueueAreRefusedAndOthersAnswered) {
  std::mutex mutex;
  std::condition_variable changed;
  int inside = 0;
  bool may_go = false;
  Router router = SmallRouter();
  Route slow{"GET", "/slow", [&](const Request&) -> Response {
               std::unique_lock lock(mutex);
               ++inside;
               changed.notify_all();
               changed.wait(lock, [&] { return may_go; });
               return {};
             }};
  slow.slow = true;
  router.Add(slow);
  ServerSettings settings;
  settings.slow_threads = 1;
  settings.slow_queue_limit = 1;
  const auto server = StartForTest(settings, router);
  const std::string_view ask = "GET /slow HTTP/1.1\r\nHost: test\r\n\r\n";
  RawClient first(server->port());
  ASSERT_TRUE(first.Send(ask));
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return inside == 1; });
  }
  // Of two more, one waits and one is refused, whichever comes first.
  std::list<std::thread> more;
  std::vector<std::string> answers;
  for (int i = 0; i < 2; ++i) {
    more.emplace_back([&] {
      std::string answer = Ask(server->port(), "GET", "/slow");
      const std::lock_guard lock(mutex);
      answers.push_back(std::move(answer));
      changed.notify_all();
    });
  }
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !answers.empty(); });
    EXPECT_EQ(StatusOf(answers[0]), 503);
    EXPECT_THAT(answers[0], HasSubstr("Retry-After: 1\r\n"));
    EXPECT_THAT(BodyOf(answers[0]), HasSubstr("\"code\":\"busy\""));
  }
  EXPECT_EQ(StatusOf(Ask(server->port(), "POST", "/", "", "x")), 200);
  {
    const std::lock_guard lock(mutex);
    may_go = true;
  }
  changed.notify_all();
  EXPECT_EQ(StatusOf(first.ReadUntil("\r\n\r\n")), 200);
  for (std::thread& thread : more) {
    thread.join();
  }
  EXPECT_EQ(StatusOf(answers[1]), 200);
}

}  // namespace
}  // namespace edgewise::http
