// Real TCP peers with the proxy between them. No time is asserted but what a
// delay cannot be shorter than.
#include "impair/proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <vector>

#include "base/clock.h"
#include "tcp_peers.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMs = 1'000'000;

Proxy StartTo(int port, const char* impairment = "none") {
  ProxySettings settings;
  settings.upstream_host = "127.0.0.1";
  settings.upstream_port = port;
  settings.impairment = *ParseImpairment(impairment);
  auto proxy = Proxy::Start(settings);
  EXPECT_TRUE(proxy.ok()) << proxy.error().message;
  return std::move(*proxy);
}

std::string Pattern(size_t bytes) {
  std::string text(bytes, '\0');
  uint32_t state = 12345;
  for (char& each : text) {
    state = state * 1664525 + 1013904223;
    each = static_cast<char>(state >> 24);
  }
  return text;
}

template <typename Condition>
bool Eventually(const Condition& condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) {
      return true;
    }
    ::usleep(1000);
  }
  return false;
}

TEST(ProxyTest, BytesGoBothWaysUnchanged) {
  EchoServer server;
  Proxy proxy = StartTo(server.port());
  EXPECT_NE(proxy.port(), 0);
  Peer client = Peer::ConnectTo(proxy.port());
  ASSERT_TRUE(client.Send("hello"));
  EXPECT_EQ(client.Receive(5), "hello");
  const auto counts = proxy.Counts();
  EXPECT_EQ(counts.connections, 1);
  EXPECT_EQ(counts.open_connections, 1);
  EXPECT_EQ(counts.bytes_to_upstream, 5);
  EXPECT_EQ(counts.bytes_to_client, 5);
  EXPECT_EQ(counts.added_delay_ns.count(), 0u) << "nothing waited";
}

TEST(ProxyTest, DelayIsAddedInEachDirection) {
  EchoServer server;
  Proxy proxy = StartTo(server.port(), "delay=20ms");
  Peer client = Peer::ConnectTo(proxy.port());
  ASSERT_TRUE(client.Send("a"));
  ASSERT_EQ(client.Receive(1), "a");
  const int64_t start = MonotonicNs();
  ASSERT_TRUE(client.Send("b"));
  ASSERT_EQ(client.Receive(1), "b");
  EXPECT_GE(MonotonicNs() - start, 40 * kMs);
  const auto counts = proxy.Counts();
  EXPECT_EQ(counts.added_delay_ns.count(), 4u);
  EXPECT_GE(*counts.added_delay_ns.min(), 20e6);
}

TEST(ProxyTest, ConnectingCostsARoundTrip) {
  EchoServer server;
  Proxy proxy = StartTo(server.port(), "delay=20ms");
  const int64_t start = MonotonicNs();
  Peer client = Peer::ConnectTo(proxy.port());
  ASSERT_TRUE(client.Send("a"));
  ASSERT_EQ(client.Receive(1), "a");
  EXPECT_GE(MonotonicNs() - start, 80 * kMs);
}

TEST(ProxyTest, NothingIsReorderedOrLostUnderJitterAndLoss) {
  Server server;
  Proxy proxy = StartTo(server.port(), "delay=2ms,jitter=2ms,loss=5%");
  Peer client = Peer::ConnectTo(proxy.port());
  Peer upstream = server.Accept();
  const std::string sent = Pattern(300'000);
  std::thread sender([&] {
    EXPECT_TRUE(client.Send(sent));
    client.EndSending();
  });
  EXPECT_EQ(upstream.ReceiveAll(), sent);
  sender.join();
  const auto counts = proxy.Counts();
  EXPECT_GE(counts.segments, 300'000 / 1448);
  EXPECT_GT(counts.lost_segments, 0);
  EXPECT_LT(counts.lost_segments, counts.segments / 4);
}

TEST(ProxyTest, TheRateIsNotExceeded) {
  Server server;
  Proxy proxy = StartTo(server.port(), "rate=8mbit");  // a MB/s
  Peer client = Peer::ConnectTo(proxy.port());
  Peer upstream = server.Accept();
  const int64_t start = MonotonicNs();
  ASSERT_TRUE(client.Send(Pattern(200'000)));
  ASSERT_EQ(upstream.Receive(200'000), Pattern(200'000));
  EXPECT_GE(MonotonicNs() - start, 199 * kMs);
}

TEST(ProxyTest, ASenderIsHeldBackWhenTheReaderIsSlow) {
  for (const char* impairment : {"none", "delay=1ms"}) {
    Server server;
    Proxy proxy = StartTo(server.port(), impairment);
    Peer client = Peer::ConnectTo(proxy.port());
    Peer upstream = server.Accept();
    // Nobody reads: the sender must come to a halt, whatever the kernel's own
    // buffers take.
    const std::string part = Pattern(1 << 20);
    size_t sent = 0;
    pollfd writable{client.fd(), POLLOUT, 0};
    while (sent < (256u << 20) && ::poll(&writable, 1, 500) == 1) {
      const ssize_t put =
          ::send(client.fd(), part.data() + sent % part.size(),
                 part.size() - sent % part.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      ASSERT_GT(put, 0);
      sent += static_cast<size_t>(put);
    }
    EXPECT_LT(sent, 256u << 20) << "the proxy keeps it all";
    // When the reader comes all of it is there.
    client.EndSending();
    const auto received = upstream.ReceiveAll();
    ASSERT_TRUE(received.has_value());
    EXPECT_EQ(received->size(), sent);
    EXPECT_EQ(received->substr(sent - 1000),
              (part + part).substr((sent - 1000) % part.size(), 1000));
  }
}

TEST(ProxyTest, AHalfClosedConnectionStillCarriesTheOtherWay) {
  for (const char* impairment : {"none", "delay=3ms"}) {
    Server server;
    Proxy proxy = StartTo(server.port(), impairment);
    Peer client = Peer::ConnectTo(proxy.port());
    Peer upstream = server.Accept();
    ASSERT_TRUE(client.Send("question"));
    client.EndSending();
    EXPECT_EQ(upstream.ReceiveAll(), "question");
    ASSERT_TRUE(upstream.Send("answer"));
    EXPECT_EQ(client.Receive(6), "answer");
    ASSERT_TRUE(upstream.Send("more"));
    upstream.EndSending();
    EXPECT_EQ(client.ReceiveAll(), "more");
    EXPECT_TRUE(
        Eventually([&] { return proxy.Counts().open_connections == 0; }));
    EXPECT_EQ(proxy.Counts().disconnects, 0);
  }
}

TEST(ProxyTest, AnEndedConnectionCostsNoProcessorTime) {
  Server server;
  Proxy proxy = StartTo(server.port(), "delay=300ms");
  Peer client = Peer::ConnectTo(proxy.port());
  Peer upstream = server.Accept();
  // Both have ended, but nobody may know for 300 ms (and the round trip).
  client.EndSending();
  upstream.EndSending();
  const int64_t before = ProcessCpuNs();
  EXPECT_EQ(client.ReceiveAll(), "");
  EXPECT_EQ(upstream.ReceiveAll(), "");
  EXPECT_LT(ProcessCpuNs() - before, 200 * kMs) << "a loop that spins";
}

TEST(ProxyTest, AResetOfEitherSideResetsTheOther) {
  for (const bool by_client : {true, false}) {
    Server server;
    Proxy proxy = StartTo(server.port());
    Peer client = Peer::ConnectTo(proxy.port());
    Peer upstream = server.Accept();
    ASSERT_TRUE(client.Send("x"));
    ASSERT_EQ(upstream.Receive(1), "x");
    (by_client ? client : upstream).Abort();
    EXPECT_EQ((by_client ? upstream : client).ReceiveAll(), std::nullopt);
    EXPECT_TRUE(
        Eventually([&] { return proxy.Counts().open_connections == 0; }));
  }
}

TEST(ProxyTest, WithoutUpstreamClientsAreResetAndTheReasonIsKept) {
  Server server;
  Proxy proxy = StartTo(server.port());
  server.Close();
  Peer client = Peer::ConnectTo(proxy.port());
  EXPECT_EQ(client.ReceiveAll(), std::nullopt);
  const auto counts = proxy.Counts();
  EXPECT_EQ(counts.upstream_failures, 1);
  EXPECT_EQ(counts.connections, 0);
  EXPECT_EQ(counts.open_connections, 0);
  EXPECT_THAT(counts.last_upstream_error,
              HasSubstr("127.0.0.1:" + std::to_string(server.port())));
  EXPECT_THAT(counts.last_upstream_error, HasSubstr("refused"));
}

TEST(ProxyTest, ConnectionsAreResetOnSchedule) {
  EchoServer server;
  Proxy proxy = StartTo(server.port(), "disconnect=every:50ms");
  for (int i = 0; i < 3; ++i) {
    // At just the wrong moment already connecting or sending fails.
    Peer client = Peer::ConnectTo(proxy.port());
    (void)client.Send("x");
    EXPECT_EQ(client.ReceiveAll(), std::nullopt) << "reset, not ended";
  }
  EXPECT_GE(proxy.Counts().disconnects, 1);
  EXPECT_EQ(proxy.Counts().upstream_failures, 0);
}

TEST(ProxyTest, DuringAnOutageConnectionsAreRefused) {
  EchoServer server;
  Proxy proxy = StartTo(server.port(), "disconnect=every:200ms:for:150ms");
  EXPECT_TRUE(Eventually([&] {
    Peer client = Peer::ConnectTo(proxy.port());
    return proxy.Counts().refused > 0;
  }));
  // It comes to an end.
  EXPECT_TRUE(Eventually([&] {
    Peer client = Peer::ConnectTo(proxy.port());
    return client.Send("x") && client.Receive(1) == "x";
  }));
}

TEST(ProxyTest, ManyConnectionsAtOnce) {
  EchoServer server;
  Proxy proxy = StartTo(server.port(), "delay=1ms,jitter=1ms");
  std::vector<Peer> clients;
  for (int i = 0; i < 100; ++i) {
    clients.push_back(Peer::ConnectTo(proxy.port()));
    ASSERT_TRUE(clients.back().Send("number " + std::to_string(i + 100)));
  }
  for (size_t i = 0; i < clients.size(); ++i) {
    EXPECT_EQ(clients[i].Receive(10), "number " + std::to_string(i + 100));
  }
  EXPECT_EQ(proxy.Counts().open_connections, 100);
  clients.clear();
  EXPECT_TRUE(Eventually([&] { return proxy.Counts().open_connections == 0; }));
}

TEST(ProxyTest, WhenDescriptorsRunOutClientsAreRefusedAndOthersGoOn) {
  EchoServer server;
  Proxy proxy = StartTo(server.port());
  Peer before = Peer::ConnectTo(proxy.port());
  ASSERT_TRUE(before.Send("x"));
  ASSERT_EQ(before.Receive(1), "x");
  std::vector<UniqueFd> sockets;
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &old_limit), 0);
  // Sockets of the client are made first; then there is room for no more.
  Peer late(UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  const rlimit tight{static_cast<rlim_t>(late.fd() + 1), old_limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  const bool connected = late.Connect(proxy.port());
  const auto received = connected ? late.ReceiveAll() : std::nullopt;
  ASSERT_TRUE(before.Send("still"));
  EXPECT_EQ(before.Receive(5), "still");
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &old_limit), 0);
  EXPECT_EQ(received, std::nullopt) << "reset";
  EXPECT_GE(proxy.Counts().refused, 1);
  Peer after = Peer::ConnectTo(proxy.port());
  ASSERT_TRUE(after.Send("x"));
  EXPECT_EQ(after.Receive(1), "x");
}

TEST(ProxyTest, StoppingResetsWhatIsOpen) {
  EchoServer server;
  Proxy proxy = StartTo(server.port());
  Peer client = Peer::ConnectTo(proxy.port());
  ASSERT_TRUE(client.Send("x"));
  ASSERT_EQ(client.Receive(1), "x");
  proxy.Stop();
  proxy.Stop();
  EXPECT_EQ(client.ReceiveAll(), std::nullopt);
  EXPECT_FALSE(Peer::ConnectTo(proxy.port()).valid());
  EXPECT_EQ(proxy.Counts().bytes_to_client, 1) << "counts stay";
  EXPECT_EQ(proxy.Counts().open_connections, 0);
}

TEST(ProxyTest, BadSettingsAreOneSentence) {
  Server taken;
  ProxySettings settings;
  settings.upstream_host = "127.0.0.1";
  settings.upstream_port = taken.port();
  settings.listen_port = taken.port();
  auto proxy = Proxy::Start(settings);
  ASSERT_FALSE(proxy.ok());
  EXPECT_EQ(proxy.error().code, ErrorCode::kBusy);
  EXPECT_THAT(proxy.error().message, HasSubstr("choose another port"));

  settings.listen_port = 0;
  settings.upstream_host = "no such host.invalid";
  proxy = Proxy::Start(settings);
  ASSERT_FALSE(proxy.ok());
  EXPECT_EQ(proxy.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(proxy.error().message, HasSubstr("no such host.invalid"));

  settings.upstream_port = 70000;
  proxy = Proxy::Start(settings);
  ASSERT_FALSE(proxy.ok());
  EXPECT_THAT(proxy.error().message, HasSubstr("70000"));
}

}  // namespace
}  // namespace edgewise
