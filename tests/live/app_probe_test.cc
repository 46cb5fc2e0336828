#include "live/app_probe.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/clock.h"

namespace edgewise::live {
namespace {

TEST(WorkingSetTest, LeavesOutIdleFilePages) {
  EXPECT_EQ(WorkingSetBytes(1000, "anon 5\ninactive_file 300\n"), 700);
  EXPECT_EQ(WorkingSetBytes(1000, "inactive_file 1\ntotal_inactive_file 400\n"),
            600);
  EXPECT_EQ(WorkingSetBytes(100, "inactive_file 300\n"), 0);
  EXPECT_FALSE(WorkingSetBytes(std::nullopt, "inactive_file 300\n"));
  EXPECT_FALSE(WorkingSetBytes(1000, "anon 5\n"));
}

TEST(AppProbeTest, ReadsALivingProcessAndNothingOfAnEndedOne) {
  const pid_t pid = fork();
  if (pid == 0) {
    for (;;) {
      pause();
    }
  }
  AppProbe probe(pid, /*in_container=*/false);
  const AppReading reading = probe.Read(MonotonicNs());
  EXPECT_EQ(reading.processes, 1);
  EXPECT_EQ(reading.threads, 1);
  EXPECT_GT(reading.rss_bytes, 0);
  EXPECT_FALSE(reading.cpu_percent.has_value());
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  const AppReading after = probe.Read(MonotonicNs());
  EXPECT_EQ(after.processes, 0);
}

}  // namespace
}  // namespace edgewise::live
