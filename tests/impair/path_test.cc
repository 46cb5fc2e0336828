#include "impair/path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "controls/network_namespace.h"
#include "impair/netem.h"
#include "tcp_peers.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

constexpr int64_t kMs = 1'000'000;

PathSettings To(int port, const char* impairment,
                std::optional<ImpairMeans> means = std::nullopt) {
  PathSettings settings;
  settings.proxy.upstream_host = "127.0.0.1";
  settings.proxy.upstream_port = port;
  settings.proxy.impairment = *ParseImpairment(impairment);
  settings.means = means;
  return settings;
}

TEST(PathTest, MeansHaveNames) {
  EXPECT_EQ(*ParseImpairMeans("netem"), ImpairMeans::kNetem);
  EXPECT_EQ(*ParseImpairMeans("proxy"), ImpairMeans::kProxy);
  EXPECT_THAT(ParseImpairMeans("netm").error().message, HasSubstr("netem?"));
  EXPECT_THAT(ParseImpairMeans("magic").error().message,
              HasSubstr("proxy or netem"));
}

TEST(PathTest, TheProxyCanBeInsistedOn) {
  EchoServer server;
  auto path = ImpairedPath::Open(
      To(server.port(), "delay=5ms,loss=1%", ImpairMeans::kProxy));
  ASSERT_TRUE(path.ok()) << path.error().message;
  EXPECT_EQ(path->means(), ImpairMeans::kProxy);
  EXPECT_THAT(path->description(), HasSubstr("in user space"));
  EXPECT_THAT(path->description(), HasSubstr("modelled"));
  Peer client = Peer::ConnectTo(path->port());
  ASSERT_TRUE(client.Send("x"));
  EXPECT_EQ(client.Receive(1), "x");
}

TEST(PathTest, NetemIsUsedWhereThereIsOneElseTheProxyWhichSaysWhy) {
  const auto netem = CheckNetem();
  EchoServer server;
  auto path = ImpairedPath::Open(To(server.port(), "delay=5ms"));
  ASSERT_TRUE(path.ok()) << path.error().message;
  const auto insisted =
      ImpairedPath::Open(To(server.port(), "delay=5ms", ImpairMeans::kNetem));
  EXPECT_EQ(insisted.ok(), netem.ok());
  if (netem) {
    EXPECT_EQ(path->means(), ImpairMeans::kNetem);
    return;
  }
  EXPECT_EQ(path->means(), ImpairMeans::kProxy);
  EXPECT_THAT(path->description(), HasSubstr(netem.error().message));
  EXPECT_EQ(insisted.error().code, netem.error().code);
}

TEST(PathTest, WithNothingForNetemToDoTheProxyIsUsed) {
  EchoServer server;
  for (const char* impairment : {"none", "disconnect=every:10s"}) {
    auto path = ImpairedPath::Open(To(server.port(), impairment));
    ASSERT_TRUE(path.ok()) << path.error().message;
    EXPECT_EQ(path->means(), ImpairMeans::kProxy);
  }
}

class NetemPathTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto netem = CheckNetem(); !netem) {
      GTEST_SKIP() << netem.error().message;
    }
  }
};

TEST_F(NetemPathTest, PacketsAreReallyDelayedEachWay) {
  EchoServer server;
  auto path = ImpairedPath::Open(To(server.port(), "delay=30ms"));
  ASSERT_TRUE(path.ok()) << path.error().message;
  EXPECT_EQ(path->means(), ImpairMeans::kNetem);
  EXPECT_THAT(path->description(), HasSubstr("netem"));
  Peer client = Peer::ConnectTo(path->port());
  ASSERT_TRUE(client.Send("a"));
  ASSERT_EQ(client.Receive(1), "a");
  const int64_t start = MonotonicNs();
  ASSERT_TRUE(client.Send("b"));
  ASSERT_EQ(client.Receive(1), "b");
  EXPECT_GE(MonotonicNs() - start, 60 * kMs);
  // Packets of the host's own loopback are not.
  Peer direct = Peer::ConnectTo(server.port());
  ASSERT_TRUE(direct.Send("c"));
  ASSERT_EQ(direct.Receive(1), "c");
}

TEST_F(NetemPathTest, PacketsAreReallyLostAndTcpMendsIt) {
  Server server;
  auto path = ImpairedPath::Open(To(server.port(), "loss=5%"));
  ASSERT_TRUE(path.ok()) << path.error().message;
  Peer client = Peer::ConnectTo(path->port());
  Peer upstream = server.Accept();
  const std::string sent(1'000'000, 'x');
  std::thread sender([&] {
    EXPECT_TRUE(client.Send(sent));
    client.EndSending();
  });
  EXPECT_EQ(upstream.ReceiveAll(), sent);
  sender.join();
  const ProxyCounts counts = path->Counts();
  EXPECT_GE(counts.segments, 1'000'000 / 1500);
  EXPECT_GT(counts.lost_segments, 0);
  EXPECT_EQ(counts.bytes_to_upstream, 1'000'000);
}

TEST_F(NetemPathTest, TheRateIsKept) {
  Server server;
  auto path = ImpairedPath::Open(To(server.port(), "rate=8mbit"));
  ASSERT_TRUE(path.ok()) << path.error().message;
  Peer client = Peer::ConnectTo(path->port());
  Peer upstream = server.Accept();
  const int64_t start = MonotonicNs();
  const std::string sent(300'000, 'x');
  ASSERT_TRUE(client.Send(sent));
  EXPECT_EQ(upstream.Receive(sent.size()), sent);
  EXPECT_GE(MonotonicNs() - start, 290 * kMs);
}

TEST_F(NetemPathTest, ConnectionsAreResetOnScheduleToo) {
  EchoServer server;
  auto path =
      ImpairedPath::Open(To(server.port(), "delay=1ms,disconnect=every:300ms"));
  ASSERT_TRUE(path.ok()) << path.error().message;
  EXPECT_EQ(path->means(), ImpairMeans::kNetem);
  Peer client = Peer::ConnectTo(path->port());
  EXPECT_EQ(client.ReceiveAll(), std::nullopt);
  EXPECT_GE(path->Counts().disconnects, 1);
}

TEST_F(NetemPathTest, AnAbsentServerIsToldOf) {
  Server server;
  auto path = ImpairedPath::Open(To(server.port(), "delay=1ms"));
  ASSERT_TRUE(path.ok()) << path.error().message;
  server.Close();
  Peer client = Peer::ConnectTo(path->port());
  EXPECT_EQ(client.ReceiveAll(), std::nullopt);
  EXPECT_EQ(path->Counts().upstream_failures, 1);
  EXPECT_THAT(path->Counts().last_upstream_error, HasSubstr("refused"));
}

TEST_F(NetemPathTest, TheNamespaceIsGoneAfterwards) {
  std::string name;
  {
    auto inside = NetemNamespace::Make(*ParseImpairment("delay=1ms"));
    ASSERT_TRUE(inside.ok()) << inside.error().message;
    const InNetworkNamespace there(inside->fd());
    ASSERT_EQ(there.error(), 0);
    name = CurrentNetworkNamespace();
    EXPECT_TRUE(FindNetworkNamespace(name).valid());
  }
  EXPECT_NE(name, CurrentNetworkNamespace());
  EXPECT_FALSE(FindNetworkNamespace(name).valid());
}

}  // namespace
}  // namespace edgewise
