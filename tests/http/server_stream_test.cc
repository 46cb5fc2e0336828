#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>
#include <mutex>
#include <thread>

#include "http/server.h"
#include "raw_client.h"

namespace edgewise::http {
namespace {

using testing::HasSubstr;

class ServerStreamTest : public testing::Test {
 protected:
  void Start(int stream_limit) {
    Router router;
    router.Add({"GET", "/events", [this](const Request&) {
                  auto stream = std::make_shared<Stream>();
                  (void)stream->WriteEvent("hello", "first");
                  const std::lock_guard lock(mutex_);
                  streams_.push_back(stream);
                  return EventStreamResponse(stream);
                }});
    router.Add({"GET", "/", [](const Request&) -> Response { return {}; }});
    ServerSettings settings;
    settings.stream_limit = stream_limit;
    server_ = StartForTest(settings, router);
    ASSERT_NE(server_, nullptr);
  }
  std::shared_ptr<Stream> LastStream() {
    const std::lock_guard lock(mutex_);
    return streams_.back();
  }
  static constexpr char kAsk[] = "GET /events HTTP/1.1\r\nHost: test\r\n\r\n";
  std::mutex mutex_;
  std::list<std::shared_ptr<Stream>> streams_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerStreamTest, EventsArriveAsTheyAreWritten) {
  Start(4);
  RawClient client(server_->port());
  ASSERT_TRUE(client.Send(kAsk));
  const std::string head = client.ReadUntil("data: first\n\n");
  EXPECT_THAT(head, HasSubstr("Content-Type: text/event-stream\r\n"));
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(LastStream()->WriteEvent("", "more " + std::to_string(i)));
    EXPECT_THAT(client.ReadUntil("\n\n"),
                HasSubstr("more " + std::to_string(i)));
  }
  LastStream()->End();
  EXPECT_THAT(client.ReadUntil("0\r\n\r\n"), HasSubstr("0\r\n\r\n"));
}

TEST_F(ServerStreamTest, StreamsBeyondTheLimitAreRefusedAndOthersAnswered) {
  Start(2);
  std::list<RawClient> clients;
  for (int i = 0; i < 2; ++i) {
    clients.emplace_back(server_->port());
    ASSERT_TRUE(clients.back().Send(kAsk));
    (void)clients.back().ReadUntil("data: first\n\n");
  }
  const std::string refused = Ask(server_->port(), "GET", "/events");
  EXPECT_EQ(StatusOf(refused), 503);
  EXPECT_THAT(BodyOf(refused), HasSubstr("too_many_streams"));
  EXPECT_EQ(StatusOf(Ask(server_->port(), "GET", "/")), 200);
}

TEST_F(ServerStreamTest, ClientThatGoesAwayFreesItsStream) {
  Start(1);
  {
    RawClient client(server_->port());
    ASSERT_TRUE(client.Send(kAsk));
    (void)client.ReadUntil("data: first\n\n");
  }
  const auto stream = LastStream();
  while (stream->WriteEvent("", "anybody there?")) {
    std::this_thread::yield();
  }
  // The second client gets the place once the first one's end is through.
  RawClient next(server_->port());
  ASSERT_TRUE(next.Send(kAsk));
  std::string head = next.ReadUntil("\r\n\r\n");
  while (StatusOf(head) == 503) {
    RawClient again(server_->port());
    ASSERT_TRUE(again.Send(kAsk));
    head = again.ReadUntil("\r\n\r\n");
  }
  EXPECT_EQ(StatusOf(head), 200);
}

TEST_F(ServerStreamTest, StopEndsStreams) {
  Start(2);
  RawClient client(server_->port());
  ASSERT_TRUE(client.Send(kAsk));
  (void)client.ReadUntil("data: first\n\n");
  server_->Stop();
  EXPECT_FALSE(LastStream()->WriteEvent("", "too late"));
  EXPECT_THAT(client.ReadAll(), HasSubstr("0\r\n\r\n"));
}

TEST_F(ServerStreamTest, ManyWritersAndReadersDoNotDisturbEachOther) {
  Start(8);
  constexpr int kClients = 6;
  constexpr int kEvents = 300;
  std::list<std::thread> readers;
  std::atomic<int> whole = 0;
  for (int i = 0; i < kClients; ++i) {
    readers.emplace_back([&] {
      RawClient client(server_->port());
      (void)client.Send(kAsk);
      const std::string all = client.ReadUntil("event: end\n");
      whole += all.find("event: end") != std::string::npos ? 1 : 0;
    });
  }
  const auto all_there = [this] {
    const std::lock_guard lock(mutex_);
    return streams_.size() == kClients;
  };
  while (!all_there()) {
    std::this_thread::yield();
  }
  std::list<std::thread> writers;
  for (const auto& stream : streams_) {
    writers.emplace_back([stream] {
      for (int k = 0; k < kEvents; ++k) {
        (void)stream->WriteEvent("", "event " + std::to_string(k));
      }
      (void)stream->WriteEvent("end", "");
    });
  }
  for (auto* threads : {&writers, &readers}) {
    for (std::thread& thread : *threads) {
      thread.join();
    }
  }
  EXPECT_EQ(whole, kClients);
}

}  // namespace
}  // namespace edgewise::http
