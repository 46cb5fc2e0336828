// The proxy when its peers or the machine let it down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <string>
#include <vector>

#include "started_proxy.h"
#include "tcp_peers.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

TEST(ProxyBadLuckTest, AResetOfEitherSideResetsTheOther) {
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

TEST(ProxyBadLuckTest, WithoutUpstreamClientsAreResetAndTheReasonIsKept) {
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

TEST(ProxyBadLuckTest, ManyConnectionsAtOnce) {
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

TEST(ProxyBadLuckTest, WhenDescriptorsRunOutClientsAreRefusedAndOthersGoOn) {
  EchoServer server;
  Proxy proxy = StartTo(server.port());
  Peer before = Peer::ConnectTo(proxy.port());
  ASSERT_TRUE(before.Send("x"));
  ASSERT_EQ(before.Receive(1), "x");
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

TEST(ProxyBadLuckTest, StoppingResetsWhatIsOpen) {
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

TEST(ProxyBadLuckTest, BadSettingsAreOneSentence) {
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
