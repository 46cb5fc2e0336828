#include "base/tcp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

SocketAddress AddressOf(const std::string& host) {
  const auto found = FindAddresses(host, 80, true);
  EXPECT_TRUE(found.ok()) << host;
  return found ? found->front() : SocketAddress();
}

TEST(TcpTest, TellsLoopbackFromTheRest) {
  EXPECT_TRUE(IsLoopback(AddressOf("127.0.0.1")));
  EXPECT_TRUE(IsLoopback(AddressOf("127.8.9.10")));
  EXPECT_TRUE(IsLoopback(AddressOf("::1")));
  EXPECT_FALSE(IsLoopback(AddressOf("0.0.0.0")));
  EXPECT_FALSE(IsLoopback(AddressOf("::")));
  EXPECT_FALSE(IsLoopback(AddressOf("192.0.2.1")));
  EXPECT_FALSE(IsLoopback(SocketAddress()));
}

TEST(TcpTest, WritesAddressesAsNumbers) {
  EXPECT_EQ(AddressText(AddressOf("127.0.0.1").get()), "127.0.0.1");
  EXPECT_EQ(AddressText(AddressOf("::1").get()), "::1");
  EXPECT_EQ(AddressText(nullptr), "");
}

TEST(TcpTest, UnknownHostIsNamed) {
  const auto found = FindAddresses("no such host", 80, false);
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.error().message, testing::HasSubstr("\"no such host\""));
}

TEST(TcpTest, TakenPortIsBusy) {
  const auto free = FindAddresses("127.0.0.1", 0, true);
  ASSERT_TRUE(free.ok());
  const UniqueFd first(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_TRUE(ListenOn(first.get(), free->front(), 1, "here").ok());
  const int port = BoundPort(first.get());
  ASSERT_GT(port, 0);
  const UniqueFd second(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const auto taken = FindAddresses("127.0.0.1", port, true);
  ASSERT_TRUE(taken.ok());
  const auto refused = ListenOn(second.get(), taken->front(), 1, "there");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kBusy);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("there"));
}

}  // namespace
}  // namespace edgewise
