// What a collector of many clients asks for beyond that of a session.
#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

#include "base/unique_fd.h"
#include "client/connection.h"
#include "client/ring_layout.h"
#include "ring_fixture.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

class ManyClientsTest : public RingFixture {
 protected:
  void Restart(RingCollectorOptions options) {
    collector_.reset();
    options.socket_path = socket_path_;
    auto created = RingCollector::Create(options);
    ASSERT_TRUE(created.ok()) << created.error().message;
    collector_ = std::move(*created);
  }
};

TEST_F(ManyClientsTest, AClientSaysWhatItsEnvironmentNamesIt) {
  const pid_t pid = Fork([] {
    setenv("EDGEWISE_APP", "tracker", 1);
    setenv("EDGEWISE_LABELS", "site=7\nforged=1", 1);
    RecordSpan("frame");
  });
  ASSERT_TRUE(DrainUntil([&] { return !sink_.ended.empty(); }));
  ExpectCleanExit(pid);
  EXPECT_EQ(sink_.started.at(0).identity, "app=tracker\nlabels=site=7\n");
  EXPECT_EQ(sink_.CountSpans("frame"), 1u);
}

TEST_F(ManyClientsTest, AClientThatLostItsCollectorSaysSinceWhen) {
  ASSERT_EQ(edgewise_connect(), 1);
  Drain();
  const int64_t before_ns = MonotonicNs();
  collector_->Finish(sink_);
  collector_.reset();
  StartCollector();
  ASSERT_EQ(edgewise_connect(), 1);
  ASSERT_TRUE(DrainUntil([&] { return sink_.started.size() == 2; }));
  const std::string& identity = sink_.started.at(1).identity;
  ASSERT_TRUE(identity.starts_with("detached_ns=")) << identity;
  EXPECT_GE(std::stoll(identity.substr(12)), before_ns);
  EXPECT_LE(std::stoll(identity.substr(12)), MonotonicNs());
}

TEST_F(ManyClientsTest, AnIdentityTooLongOrTooLateIsCutOff) {
  const auto send = [](int socket, const std::string& text) {
    ASSERT_EQ(::send(socket, text.data(), text.size(), 0),
              static_cast<ssize_t>(text.size()));
  };
  const UniqueFd twice(client::ConnectToCollector());
  send(twice.get(), std::string(client::kIdentityMagic) + "app=a\n");
  send(twice.get(), std::string(client::kIdentityMagic) + "app=b\n");
  const UniqueFd longer(client::ConnectToCollector());
  send(longer.get(), client::kIdentityMagic + std::string(2000, 'x'));
  ASSERT_TRUE(DrainUntil([&] { return collector_->refused_clients() == 2; }));
}

TEST_F(ManyClientsTest, NamesOfEachClientCountFromZeroAndAreBounded) {
  RingCollectorOptions options;
  options.names_of_each_client = 2;
  Restart(options);
  std::vector<pid_t> pids;
  for (int i = 0; i < 2; ++i) {
    pids.push_back(Fork([] {
      RecordSpan("a");
      RecordSpan("b");
      RecordSpan("c");
    }));
    ASSERT_TRUE(DrainUntil([&] { return sink_.ended.size() == pids.size(); }));
    ExpectCleanExit(pids.back());
    EXPECT_EQ(sink_.ended.back().account.dropped_no_name, 1u);
    EXPECT_EQ(sink_.ended.back().account.delivered, 2u);
    sink_.names.clear();  // the next client begins anew
  }
}

TEST_F(ManyClientsTest, OneDrainTakesABoundedPartAndTheNextTheRest) {
  RingCollectorOptions options;
  options.max_records_per_drain = 1;
  Restart(options);
  ASSERT_EQ(edgewise_connect(), 1);
  for (int i = 0; i < 2000; ++i) {
    RecordSpan("frame");
  }
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([] { RecordSpan("other"); });
    threads.back().join();
  }
  Drain();
  const size_t first = sink_.spans.size();
  EXPECT_GT(first, 0u);
  EXPECT_LT(first, 2003u);
  ASSERT_TRUE(DrainUntil([&] { return sink_.spans.size() == 2003; }));
}

TEST_F(ManyClientsTest, WakeDeliversOnlyFromThoseWhoAsk) {
  ASSERT_EQ(edgewise_connect(), 1);
  RecordSpan("first");
  Drain();
  const size_t before = sink_.spans.size();
  RecordSpan("quiet");
  collector_->Wake(sink_);
  EXPECT_EQ(sink_.spans.size(), before);
  // More than a quarter of the ring: the client rings.
  for (int i = 0; i < 1000; ++i) {
    RecordSpan("loud");
  }
  collector_->Wake(sink_);
  EXPECT_GE(sink_.CountSpans("loud"), 500u);
}

TEST_F(ManyClientsTest, OneProcessCannotTakeAllConnections) {
  RingCollectorOptions options;
  options.max_clients_of_process = 3;
  Restart(options);
  std::vector<UniqueFd> sockets;
  for (int i = 0; i < 4; ++i) {
    sockets.emplace_back(client::ConnectToCollector());
  }
  ASSERT_TRUE(DrainUntil([&] { return collector_->refused_clients() == 1; }));
  EXPECT_THAT(collector_->last_refusal(), HasSubstr("of this process"));
}

}  // namespace
}  // namespace edgewise
