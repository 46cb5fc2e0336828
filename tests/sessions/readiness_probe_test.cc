#include "sessions/readiness_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "../probes/fake_tree.h"
#include "base/text.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr char kTcp[] =
    "  sl  local_address rem_address   st tx_queue rx_queue\n"
    "   0: 0100007F:216A 00000000:0000 0A 00000000:00000000 00:00000000\n"
    "   1: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000\n";

TEST(ReadinessProbeTest, OnlyASocketThatListensCounts) {
  EXPECT_TRUE(ListensOn(kTcp, 8554));
  EXPECT_FALSE(ListensOn(kTcp, 8080));  // a connection
  EXPECT_FALSE(ListensOn(kTcp, 40000));
  EXPECT_FALSE(ListensOn("rubbish\n0: : x 0A\n", 8554));
}

// A /proc with one process, 7.
class ReadinessTest : public ::testing::Test {
 protected:
  ReadinessTest() {
    fs::create_directories(proc_ / "7/net");
    fs::create_directories(proc_ / "7/root/run");
  }

  FakeTree tree_;
  const fs::path& proc_ = tree_.root();
  LogWatch log_{"loaded"};
};

TEST_F(ReadinessTest, APortIsThatOfTheProcesssOwnNetwork) {
  Readiness readiness;
  readiness.port = 8554;
  const ReadinessProbe probe(readiness, log_, proc_);
  EXPECT_FALSE(probe.ReadyNs(7, 0, 5));
  ASSERT_TRUE(WriteFile(proc_ / "7/net/tcp6", kTcp));
  EXPECT_EQ(probe.ReadyNs(7, 0, 5), 5);
}

TEST_F(ReadinessTest, AFileIsThatOfTheProcesssOwnFileSystem) {
  Readiness readiness;
  readiness.file = "/run/ready";
  const ReadinessProbe probe(readiness, log_, proc_);
  EXPECT_FALSE(probe.ReadyNs(7, 0, 5));
  ASSERT_TRUE(WriteFile(proc_ / "7/root/run/ready", ""));
  EXPECT_EQ(probe.ReadyNs(7, 0, 5), 5);
}

TEST_F(ReadinessTest, ALogLineHasItsOwnTime) {
  Readiness readiness;
  readiness.log = "loaded";
  const ReadinessProbe probe(readiness, log_, proc_);
  EXPECT_FALSE(probe.ReadyNs(7, 0, 5));
  log_.Look(0, "loaded", 3);
  EXPECT_EQ(probe.ReadyNs(7, 0, 5), 3);
}

TEST_F(ReadinessTest, SecondsPassAndPatienceEnds) {
  Readiness readiness;
  readiness.after_ns = 10;
  readiness.within_ns = 20;
  const ReadinessProbe probe(readiness, log_, proc_);
  EXPECT_FALSE(probe.ReadyNs(7, 100, 109));
  EXPECT_EQ(probe.ReadyNs(7, 100, 115), 110);
  EXPECT_FALSE(probe.TooLate(100, 120));
  EXPECT_TRUE(probe.TooLate(100, 121));
}

}  // namespace
}  // namespace edgewise
