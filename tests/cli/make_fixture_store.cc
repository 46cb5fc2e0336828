// Makes a store with two fixed Runs, for golden tests of the command line.
//
//   make_fixture_store FOLDER
#include <cstdio>
#include <string>

#include "base/clock.h"
#include "store/store.h"

namespace {

using namespace edgewise;  // NOLINT: a test program of one file

// Deterministic durations around `center_ns`, like an app with some noise.
int64_t NoisyNs(int64_t center_ns, uint64_t* state) {
  *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
  return center_ns + static_cast<int64_t>((*state >> 33) % 400'000) - 200'000;
}

Run FixedRun(const std::string& id, const std::string& label,
             int64_t started_utc_ns) {
  Run run;
  run.id = id;
  run.label = label;
  run.command = {"./camera", "--input", "two words"};
  run.machine.hostname = "pi5";
  run.machine.architecture = "aarch64";
  run.machine.cpu_model = "Cortex-A76";
  run.machine.board = "Raspberry Pi 5 Model B";
  run.machine.kernel = "6.6.31";
  run.machine.os = "Debian GNU/Linux 12 (bookworm)";
  run.machine.cores = 4;
  run.machine.memory_bytes = int64_t{8} << 30;
  run.machine.governor = "ondemand";
  run.machine.fingerprint = "0123456789abcdef";
  run.edgewise_version = "0.1.0";
  run.started_utc_ns = started_utc_ns;
  run.conditions.cpus = {0, 1};
  return run;
}

void Complete(Run* run, double scale) {
  run->state = RunState::kDone;
  run->end_reason = EndReason::kExited;
  run->exit_code = 0;
  run->totals.wall_s = 12.5 * scale;
  run->totals.cpu_user_s = 9.25 * scale;
  run->totals.cpu_system_s = 0.75 * scale;
  run->totals.max_rss_bytes = 48 << 20;
  run->totals.tree_peak_bytes = 52 << 20;
  run->totals.minor_faults = 12345;
  run->totals.major_faults = 0;
  run->totals.voluntary_switches = 4321;
  run->totals.involuntary_switches = 21;
  run->totals.max_threads = 3;
  run->totals.max_processes = 1;
  run->threads = {{100, 100, "camera", 9.5 * scale, 0.125, "0-1"},
                  {100, 101, "worker", 0.5 * scale, 0.002, "0-1"}};
  run->output_tail = "500 frames\n";
  run->output_bytes = 11;
  run->profiler = {0.031, 9 << 20};
  run->unavailable = {
      {"cycles, instructions", "this machine has no hardware counters"}};
}

bool Add(Store* store, Run run, int64_t frame_ns, double scale) {
  auto writer = store->Begin(run);
  if (!writer) {
    return false;
  }
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  const int64_t cpu =
      writer->SeriesId(SeriesKind::kSystem, "cpu_percent", "percent");
  uint64_t state = 42;
  constexpr int kFrames = 500;
  for (int i = 0; i < kFrames; ++i) {
    const int64_t wall_ns = NoisyNs(frame_ns, &state);
    const Span span{i * 25 * kNsPerMs, wall_ns, wall_ns * 9 / 10, 100, 0};
    writer->AddSpans(frames, {&span, 1});
  }
  for (int i = 0; i < 125; ++i) {
    writer->AddPoint(cpu, {i * 100 * kNsPerMs, 75.0 + i % 10});
  }
  Complete(&run, scale);
  return writer->Finish(run).ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_fixture_store FOLDER\n", stderr);
    return 2;
  }
  auto store = Store::Open(argv[1]);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  constexpr int64_t kNoonUtcNs = 1'767'268'800 * kNsPerSecond;  // 2026-01-01
  const bool made =
      Add(&*store, FixedRun("aaaa00000001", "before", kNoonUtcNs),
          18 * kNsPerMs, 1.0) &&
      Add(&*store,
          FixedRun("bbbb00000002", "after", kNoonUtcNs + 3600 * kNsPerSecond),
          15 * kNsPerMs, 0.9);
  return made ? 0 : 1;
}
