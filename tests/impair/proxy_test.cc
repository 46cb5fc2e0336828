// Real TCP peers with the proxy between them. No time is asserted but what a
// delay cannot be shorter than.
#include "impair/proxy.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <string>
#include <thread>

#include "base/clock.h"
#include "started_proxy.h"
#include "tcp_peers.h"

namespace edgewise {
namespace {

constexpr int64_t kMs = 1'000'000;

std::string Pattern(size_t bytes) {
  std::string text(bytes, '\0');
  uint32_t state = 12345;
  for (char& each : text) {
    state = state * 1664525 + 1013904223;
    each = static_cast<char>(state >> 24);
  }
  return text;
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

}  // namespace
}  // namespace edgewise
