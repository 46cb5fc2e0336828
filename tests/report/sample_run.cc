#include "sample_run.h"

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr int64_t kMiB = 1 << 20;
// 2026-11-15T08:29:38Z.
constexpr int64_t kStartedUtcNs = 1'794'731'378 * kNsPerSecond;

Machine SampleMachine() {
  Machine machine;
  machine.hostname = "node-7";
  machine.architecture = "aarch64";
  machine.cpu_model = "Cortex-A76";
  machine.board = "Raspberry Pi 5";
  machine.kernel = "6.1.0";
  machine.os = "Debian GNU/Linux 12 (bookworm)";
  machine.cores = 4;
  machine.memory_bytes = 8192 * kMiB;
  machine.governor = "ondemand";
  machine.fingerprint = "9f2c11d0";
  return machine;
}

Totals SampleTotals() {
  Totals totals;
  totals.wall_s = 30.02;
  totals.cpu_user_s = 12.31;
  totals.cpu_system_s = 1.22;
  totals.max_rss_bytes = 118 * kMiB;
  totals.tree_peak_bytes = 141 * kMiB;
  totals.max_pss_bytes = 112 * kMiB;
  totals.minor_faults = 48'211;
  totals.major_faults = 3;
  totals.voluntary_switches = 3'604;
  totals.involuntary_switches = 218;
  totals.migrations = 12;
  totals.run_queue_wait_s = 0.312;
  totals.block_read_bytes = 4 * kMiB;
  totals.block_write_bytes = 0;
  totals.net_receive_bytes = 61 * kMiB;
  totals.net_transmit_bytes = 1 * kMiB;
  totals.max_threads = 9;
  totals.max_processes = 2;
  totals.throttled_periods = 0;
  totals.throttled_s = 0;
  totals.psi_cpu_some_s = 0.21;
  totals.psi_memory_some_s = 0;
  totals.psi_io_some_s = 0.04;
  totals.steal_s = 0;
  return totals;
}

}  // namespace

Run SampleRun() {
  Run run;
  run.id = "3f9a0c12b7de";
  run.label = "baseline";
  run.note = "first run on the new board";
  run.command = {"./camera", "--fps", "20", "--model", "mobile net.onnx"};
  run.conditions.cpus = {0, 1};
  run.conditions.threads = 2;
  run.conditions.duration_ns = 30 * kNsPerSecond;
  run.machine = SampleMachine();
  run.edgewise_version = "0.1.0";
  run.state = RunState::kDone;
  run.started_utc_ns = kStartedUtcNs;
  run.end_reason = EndReason::kDuration;
  run.signal = 2;
  run.totals = SampleTotals();
  run.counters = {{"cycles", 24.1e9, 1},
                  {"instructions", 31.9e9, 1},
                  {"cache-references", 812e6, 0.74},
                  {"cache-misses", 61e6, 0.74},
                  {"branches", 4.1e9, 0.74},
                  {"branch-misses", 33e6, 0.74}};
  run.threads = {{4711, 4711, "camera", 7.9, 0.11, "0-1"},
                 {4711, 4714, "decoder", 4.2, 0.18, "0-1"},
                 {4711, 4715, "mqtt", 1.1, 0.02, "0-1"},
                 {4720, 4720, "logger", 0.33, std::nullopt, "0-3"}};
  run.clients = {{4711, "camera", 1'800, 12, 0, {"upload"}}};
  run.output_tail = "frame 600 ok\n";
  run.output_bytes = 7'812;
  run.profiler = {0.0451, 9 * kMiB};
  run.unavailable = {
      {"power", "this board has no power sensor"},
      {"perf stacks",
       "perf_event_paranoid is 3; set it to 1 or run with CAP_PERFMON"}};
  run.warnings = {"12 records of the in-app library were dropped (ring full)"};
  return run;
}

Run BareRun() {
  Run run;
  run.id = "00c0ffee0000";
  run.command = {"/bin/false"};
  run.state = RunState::kDone;
  run.started_utc_ns = kStartedUtcNs;
  run.end_reason = EndReason::kExited;
  run.exit_code = 1;
  run.unavailable = {{"everything", "the program ended before it was seen"}};
  return run;
}

}  // namespace edgewise
