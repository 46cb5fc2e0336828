#include "probes/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>

#include "fake_tree.h"

namespace edgewise {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class DoctorTest : public ::testing::Test {
 protected:
  DoctorTest() {
    input_.root = root_.root();
    input_.store_folder = "/somewhere/edgewise";
    input_.kernel.store_free_bytes = int64_t{1} << 30;
    input_.kernel.allowed_cores = 4;
    root_.Write("proc/self/stat", "1 (a) R\n");
    root_.Write("proc/self/schedstat", "1 2 3\n");
    root_.Write("proc/self/smaps_rollup", "Pss: 1 kB\n");
    root_.Write("proc/self/status", "CapEff:\t000001ffffffffff\n");
    root_.Write("sys/devices/system/cpu/online", "0-3\n");
  }
  Ability Find(const std::string& what) const {
    for (const Ability& ability : Diagnose(input_).abilities) {
      if (ability.what == what) {
        return ability;
      }
    }
    ADD_FAILURE() << "no ability named " << what;
    return {};
  }
  std::vector<MachineWarning> Warnings() const {
    return Diagnose(input_).warnings;
  }

  const FakeTree root_;
  DoctorInput input_;
};

TEST_F(DoctorTest, EveryAbilityHasAGroupANameAndADetail) {
  for (const Ability& ability : Diagnose(input_).abilities) {
    EXPECT_TRUE(ability.group == "measure" || ability.group == "control");
    EXPECT_FALSE(ability.what.empty());
    EXPECT_FALSE(ability.detail.empty()) << ability.what;
  }
}

TEST_F(DoctorTest, PythonFunctionsDependOnTheRightToTrace) {
  const std::string name = "Python functions in stacks";
  EXPECT_EQ(Find(name).state, AbilityState::kAvailable);
  root_.Write("proc/self/status", "CapEff:\t0000000000000000\n");
  EXPECT_EQ(Find(name).state, AbilityState::kAvailable);
  root_.Write("proc/sys/kernel/yama/ptrace_scope", "1\n");
  EXPECT_EQ(Find(name).state, AbilityState::kLimited);
  root_.Write("proc/sys/kernel/yama/ptrace_scope", "2\n");
  EXPECT_EQ(Find(name).state, AbilityState::kMissing);
  EXPECT_THAT(Find(name).remedy, HasSubstr("kernel.yama.ptrace_scope=1"));
}

TEST_F(DoctorTest, NamesAreUnique) {
  std::vector<std::string> names;
  for (const Ability& ability : Diagnose(input_).abilities) {
    names.push_back(ability.what);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST_F(DoctorTest, PssNeedsACapabilityForOthersProcesses) {
  EXPECT_EQ(Find("proportional memory (PSS)").state, AbilityState::kAvailable);
  root_.Write("proc/self/status", "CapEff:\t0000000000000000\n");
  EXPECT_EQ(Find("proportional memory (PSS)").state, AbilityState::kLimited);
  root_.Remove("proc/self/smaps_rollup");
  EXPECT_EQ(Find("proportional memory (PSS)").state, AbilityState::kMissing);
}

TEST_F(DoctorTest, MissingCountersSayWhy) {
  input_.kernel.perf_hardware_errno = ENOENT;
  const Ability counters = Find("hardware counters");
  EXPECT_EQ(counters.state, AbilityState::kMissing);
  EXPECT_THAT(counters.detail, HasSubstr("no such hardware counter"));
  EXPECT_EQ(Find("software events").state, AbilityState::kAvailable);
}

TEST_F(DoctorTest, RefusedEventsNameTheSetting) {
  root_.Write("proc/sys/kernel/perf_event_paranoid", "4\n");
  input_.kernel.perf_software_errno = EACCES;
  const Ability events = Find("software events");
  EXPECT_EQ(events.state, AbilityState::kMissing);
  EXPECT_THAT(events.detail, HasSubstr("perf_event_paranoid is 4"));
  EXPECT_THAT(events.remedy, HasSubstr("sysctl"));
}

TEST_F(DoctorTest, NoCgroupFileSystemIsSaid) {
  EXPECT_EQ(Find("cgroup accounts").state, AbilityState::kMissing);
}

TEST_F(DoctorTest, V2ControllersGiveQuotaAndLimit) {
  root_.Write("proc/self/cgroup", "0::/user.slice\n");
  root_.Write("proc/self/mountinfo",
              "30 25 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n");
  root_.Write("sys/fs/cgroup/cgroup.controllers", "cpu memory io\n");
  root_.MakeFolder("sys/fs/cgroup/user.slice");
  EXPECT_EQ(Find("cgroup accounts").state, AbilityState::kAvailable);
  EXPECT_EQ(Find("cgroup of its own").state, AbilityState::kAvailable);
  EXPECT_EQ(Find("CPU quota").state, AbilityState::kAvailable);
  EXPECT_EQ(Find("memory limit").state, AbilityState::kAvailable);
}

TEST_F(DoctorTest, RealTimeBudgetsOfV1GroupsAreATrap) {
  root_.Write("proc/self/cgroup", "1:cpu:/\n");
  root_.Write("proc/self/mountinfo",
              "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
  root_.Write("sys/fs/cgroup/cpu/cpu.rt_runtime_us", "950000\n");
  root_.Write("proc/sys/kernel/sched_rt_runtime_us", "950000\n");
  root_.Write("proc/sys/kernel/sched_rt_period_us", "1000000\n");
  const Ability policies = Find("real-time policies");
  EXPECT_EQ(policies.state, AbilityState::kLimited);
  EXPECT_THAT(policies.detail, HasSubstr("RT_GROUP_SCHED"));
  EXPECT_THAT(policies.detail, HasSubstr("950 of every 1000 ms"));
}

TEST_F(DoctorTest, RefusedRealTimeSaysHowToGetIt) {
  input_.kernel.fifo_errno = EPERM;
  const Ability policies = Find("real-time policies");
  EXPECT_EQ(policies.state, AbilityState::kMissing);
  EXPECT_THAT(policies.remedy, HasSubstr("rtprio"));
}

TEST_F(DoctorTest, FewerCoresThanOnlineAreALimit) {
  EXPECT_EQ(Find("affinity").state, AbilityState::kAvailable);
  input_.kernel.allowed_cores = 1;
  EXPECT_EQ(Find("affinity").state, AbilityState::kLimited);
}

TEST_F(DoctorTest, ContainerEnginesAreLookedForInThePath) {
  EXPECT_EQ(Find("containers").state, AbilityState::kMissing);
  root_.Write("bin/podman", "#!/bin/sh\n");
  std::filesystem::permissions(root_ / "bin/podman",
                               std::filesystem::perms::owner_all);
  input_.search_path = "/nonexistent:" + (root_ / "bin").string();
  EXPECT_THAT(Find("containers").detail, HasSubstr("bin/podman"));
}

TEST_F(DoctorTest, LittleRoomForRunsIsALimit) {
  EXPECT_EQ(Find("room for Runs").state, AbilityState::kAvailable);
  input_.kernel.store_free_bytes = 1 << 20;
  EXPECT_EQ(Find("room for Runs").state, AbilityState::kLimited);
}

TEST_F(DoctorTest, ASlowClockIsALimit) {
  const std::string file =
      "sys/devices/system/clocksource/clocksource0/current_clocksource";
  root_.Write(file, "tsc\n");
  EXPECT_EQ(Find("clock").state, AbilityState::kAvailable);
  root_.Write(file, "hpet\n");
  EXPECT_EQ(Find("clock").state, AbilityState::kLimited);
}

TEST_F(DoctorTest, AQuietBoardGivesNoWarnings) {
  root_.Write("proc/loadavg", "0.10 0.10 0.10 1/100 1\n");
  root_.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
              "performance\n");
  root_.Write("proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
  EXPECT_THAT(Warnings(), IsEmpty());
}

TEST_F(DoctorTest, WhatSpoilsMeasurementsIsWarnedOf) {
  const auto warns_of = [this](const char* what) {
    return ::testing::Value(
        Warnings(), Contains(Field(&MachineWarning::what, HasSubstr(what))));
  };
  EXPECT_FALSE(warns_of("governor"));
  root_.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
              "powersave\n");
  EXPECT_TRUE(warns_of("governor is powersave"));
  root_.Write("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_TRUE(warns_of("turbo is on"));
  root_.Write("proc/loadavg", "3.90 1.00 1.00 5/100 1\n");
  EXPECT_TRUE(warns_of("load is 3.90 on 4 cores"));
  root_.Write("proc/meminfo", "SwapTotal: 2048 kB\nSwapFree: 1024 kB\n");
  EXPECT_TRUE(warns_of("swapped out"));
  root_.Write("proc/cpuinfo", "flags : hypervisor\n");
  root_.Write("proc/stat", "cpu 80 0 0 0 0 0 0 20 0 0\n");
  EXPECT_TRUE(warns_of("20.0%"));
  root_.Write("sys/devices/platform/soc/soc:firmware/get_throttled", "1\n");
  EXPECT_TRUE(warns_of("voltage is too low"));
}

TEST(KernelAnswersTest, AskingChangesNothing) {
  const int policy = sched_getscheduler(0);
  errno = 0;
  const int nice = getpriority(PRIO_PROCESS, 0);
  const KernelAnswers answers = AskKernel("/nonexistent/store");
  EXPECT_EQ(sched_getscheduler(0), policy);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), nice);
  EXPECT_GT(answers.allowed_cores, 0);
  EXPECT_TRUE(answers.store_free_bytes);
}

}  // namespace
}  // namespace edgewise
