#include "store/run_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/run_names.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Run FullRun() {
  edgewise::Run run;
  run.id = "0123456789ab";
  run.group = "fedcba987654";
  run.group_role = "b";
  run.repeat_index = 3;
  run.kind = "attach";
  run.label = "nightly";
  run.note = "a \"note\"\nwith lines";
  run.command = {"./app", "two words", ""};
  run.conditions.cpus = {0, 2};
  run.conditions.frequency_khz = 1'200'000;
  run.conditions.threads = 2;
  run.conditions.env = {{"A", "1"}, {"B", ""}};
  run.conditions.nice = -5;
  run.conditions.policy = "fifo:50";
  run.conditions.cpu_quota_cores = 0.5;
  run.conditions.warmup_ns = 2'000'000'000;
  run.conditions.sample_hz = 100;
  run.machine.cpu_model = "Cortex-A76";
  run.machine.cores = 4;
  run.machine.memory_bytes = int64_t{8} << 30;
  run.edgewise_version = "0.1.0";
  run.state = RunState::kDone;
  run.started_utc_ns = 1'700'000'000'123'456'789;
  run.started_monotonic_ns = 42;
  run.end_reason = EndReason::kOutOfMemory;
  run.signal = 9;
  run.totals.wall_s = 1.25;
  run.totals.max_rss_bytes = 123456;
  run.counters = {{"cycles", 1e12, 0.5}, {"instructions", std::nullopt, 1}};
  run.threads = {{10, 11, "worker", 0.5, 0.25, "0-1"}};
  run.clients = {{10, "app", 1000, 5, 1, {"frame", "decode"}}};
  run.output_tail = "bye\n";
  run.output_bytes = 4;
  run.profiler = {0.01, 5 << 20};
  run.gpu.emplace();
  run.gpu->devices = {
      {"GPU X", int64_t{16} << 30, int64_t{3} << 30, 5e11, 42.5, std::nullopt}};
  run.gpu->memory_peak_bytes = int64_t{2} << 30;
  GpuSummary& summary = run.gpu->summary.emplace();
  summary.devices = {"GPU X"};
  summary.kernel_count = 3;
  summary.kernels = {
      {"saxpy", 3, 300, 90, 110, 8, 256, 32, 0, 75.0, "registers"}};
  summary.copies = {{"host to device", 2, 4096, 50, 1, 20}};
  summary.calls = {{"cudaLaunchKernel", 3, 30, 12}};
  summary.launch_mean_ns = 10;
  run.unavailable = {{"cycles", "no PMU"}};
  run.warnings = {"careful"};
  return run;
}

TEST(RunJsonTest, EveryFieldComesBack) {
  const std::string text = RunToJson(FullRun());
  const auto back = RunFromJson(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(RunToJson(*back), text);
  EXPECT_EQ(back->started_utc_ns, 1'700'000'000'123'456'789);
  EXPECT_EQ(back->end_reason, EndReason::kOutOfMemory);
  EXPECT_EQ(back->state, RunState::kDone);
  EXPECT_THAT(back->command, ElementsAre("./app", "two words", ""));
  EXPECT_EQ(back->conditions.env.at("B"), "");
  EXPECT_THAT(back->clients.front().open_spans, ElementsAre("frame", "decode"));
  EXPECT_DOUBLE_EQ(back->counters.front().running_share, 0.5);
  ASSERT_TRUE(back->gpu && back->gpu->summary);
  EXPECT_EQ(back->gpu->memory_peak_bytes, int64_t{2} << 30);
  EXPECT_EQ(back->gpu->summary->kernels.front().occupancy_percent, 75);
  EXPECT_EQ(back->gpu->summary->copies.front().pageable_ns, 20);
}

TEST(RunJsonTest, UnknownStaysUnknownAndIsNotZero) {
  const auto back = RunFromJson(RunToJson(FullRun()));
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->exit_code);
  EXPECT_FALSE(back->totals.cpu_user_s);
  EXPECT_FALSE(back->counters.back().value);
  EXPECT_FALSE(back->conditions.timeout_ns);
  EXPECT_FALSE(back->gpu->most_bytes_per_s);
  EXPECT_FALSE(back->gpu->devices.front().energy_j);
  EXPECT_FALSE(back->gpu->summary->launch_delay_ns);
}

TEST(RunJsonTest, MissingAndUnknownFieldsAreTolerated) {
  const auto run = RunFromJson(R"({"id": "abc", "from_the_future": [1, {}]})");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->id, "abc");
  EXPECT_EQ(run->kind, "run");
  EXPECT_DOUBLE_EQ(run->conditions.sample_hz, 10);
}

TEST(RunJsonTest, FieldsOfTheWrongTypeKeepTheirDefault) {
  const auto run = RunFromJson(
      R"({"id": 5, "command": "x", "exit_code": "0", "totals": [],
          "repeat_index": 99999999999, "started_utc_ns": 1e300,
          "output_bytes": 18446744073709551615, "end_reason": "bored",
          "conditions": {"cpus": [0, "x", 1]}, "threads": [7, {"tid": 3}]})");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->id, "");
  EXPECT_TRUE(run->command.empty());
  EXPECT_FALSE(run->exit_code);
  EXPECT_EQ(run->repeat_index, 0);
  EXPECT_EQ(run->started_utc_ns, 0);
  EXPECT_EQ(run->output_bytes, 0);
  EXPECT_FALSE(run->end_reason);
  EXPECT_THAT(run->conditions.cpus, ElementsAre(0, 1));
  ASSERT_EQ(run->threads.size(), 1U);
  EXPECT_EQ(run->threads.front().tid, 3);
}

TEST(RunJsonTest, BytesThatAreNotUnicodeAreReplaced) {
  edgewise::Run run;
  run.output_tail = "ok \xff\xfe end";
  const auto back = RunFromJson(RunToJson(run));
  ASSERT_TRUE(back);
  EXPECT_THAT(back->output_tail, HasSubstr("\xEF\xBF\xBD"));
  EXPECT_THAT(back->output_tail, HasSubstr(" end"));
}

TEST(RunJsonTest, WhatIsNoObjectIsRefused) {
  for (const char* text : {"", "[]", "7", "{", "{\"id\": }", "nonsense"}) {
    const auto run = RunFromJson(text);
    ASSERT_FALSE(run) << text;
    EXPECT_EQ(run.error().code, ErrorCode::kCorrupt);
  }
}

TEST(RunJsonTest, DeepNestingIsNoProblem) {
  const std::string deep =
      "{\"x\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  EXPECT_TRUE(RunFromJson(deep));
}

TEST(RunNamesTest, NamesAndValuesBelongTogether) {
  for (const RunState state :
       {RunState::kRunning, RunState::kDone, RunState::kInterrupted}) {
    EXPECT_EQ(RunStateFromName(RunStateName(state)), state);
  }
  EXPECT_EQ(RunStateFromName("?"), RunState::kInterrupted);
  EXPECT_EQ(EndReasonFromName("timeout"), EndReason::kTimeout);
  EXPECT_FALSE(EndReasonFromName("?"));
}

}  // namespace
}  // namespace edgewise
