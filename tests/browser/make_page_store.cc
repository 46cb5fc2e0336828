// Makes a store with Runs for the report page's tests and benchmark.
//
//   make_page_store FOLDER           before, after, bare, hostile, jobs
//   make_page_store FOLDER large     one Run of ten minutes: 1 M spans,
//                                    100,000 stack samples
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "stacks/profile.h"
#include "store/store.h"

namespace {

using namespace edgewise;  // NOLINT: a test program of one file

constexpr int64_t kNoonUtcNs = 1'767'268'800 * kNsPerSecond;  // 2026-01-01

// Every text of it wants to be markup.
constexpr char kHostile[] =
    "</script><script>window.hacked=1</script><img src=x onerror=hacked=1>"
    "\"'&lt;<!--";

stacks::Frame FrameOf(const std::string& function, stacks::FrameKind kind,
                      const std::string& file = {}, int line = 0) {
  stacks::Frame frame;
  frame.function = function;
  frame.kind = kind;
  frame.file = file;
  frame.line = line;
  frame.first_line = line;
  frame.module = kind == stacks::FrameKind::kKernel   ? "[kernel]"
                 : kind == stacks::FrameKind::kPython ? ""
                                                      : "/usr/lib/libedge.so";
  return frame;
}

// A small program: `heavy` of 1000 samples are in Filter, the others elsewhere.
stacks::StackProfile SmallProfile(int heavy, const std::string& extra) {
  using Kind = stacks::FrameKind;
  stacks::ProfileBuilder builder;
  const int32_t camera = builder.AddThread({100, 100, "camera", "camera"});
  const int32_t worker = builder.AddThread({100, 101, "camera", "worker"});
  const auto add = [&](int32_t thread, const std::vector<stacks::Frame>& frames,
                       int64_t count) {
    std::vector<int32_t> ids;
    for (const stacks::Frame& frame : frames) {
      ids.push_back(builder.AddFrame(frame));
    }
    builder.Add(thread, ids, count);
  };
  const stacks::Frame start = FrameOf("_start", Kind::kNative);
  const stacks::Frame main = FrameOf("main", Kind::kNative, "main.cc", 12);
  const stacks::Frame loop =
      FrameOf("process_frames", Kind::kPython, "app.py", 31);
  add(camera,
      {start, main, loop, FrameOf("Filter", Kind::kNative, "filter.cc", 7)},
      heavy);
  add(camera,
      {start, main, loop, FrameOf("Detect", Kind::kNative, "detect.cc", 9)},
      700 - heavy);
  add(camera,
      {start, main, FrameOf("write", Kind::kNative),
       FrameOf("do_syscall_64", Kind::kKernel),
       FrameOf("ext4_file_write_iter", Kind::kKernel)},
      120);
  add(worker,
      {FrameOf("clone3", Kind::kNative),
       FrameOf("std::thread::_State_impl<std::tuple<Worker>>::_M_run()",
               Kind::kNative),
       FrameOf(extra, Kind::kJit)},
      150);
  add(worker, {FrameOf("[truncated]", Kind::kMark)}, 30);
  stacks::Collection& collection = builder.collection();
  collection.event = "cpu-clock";
  collection.rate_hz = 99;
  collection.samples = 1000;
  collection.notes = {"30 stacks ended where the copied part ended"};
  return builder.Take();
}

// 100,000 samples in stacks of a depth and variety like that of a real app.
stacks::StackProfile LargeProfile() {
  stacks::ProfileBuilder builder;
  std::mt19937_64 random(7);
  std::vector<int32_t> threads;
  for (int i = 0; i < 16; ++i) {
    threads.push_back(builder.AddThread(
        {100, 100 + i, "app", "worker-" + std::to_string(i)}));
  }
  std::vector<int32_t> frames;
  constexpr int kFunctions = 2000;
  for (int i = 0; i < kFunctions; ++i) {
    frames.push_back(builder.AddFrame(
        FrameOf("library::module_" + std::to_string(i % 40) + "::function_" +
                    std::to_string(i) + "(std::vector<float> const&)",
                static_cast<stacks::FrameKind>(i % 3),
                "source_" + std::to_string(i % 200) + ".cc", i)));
  }
  for (int sample = 0; sample < 100'000; ++sample) {
    std::vector<int32_t> stack;
    uint64_t at = 1;
    const size_t depth = 12 + random() % 28;
    for (size_t level = 0; level < depth; ++level) {
      // A function calls up to four others, the first of them mostly.
      const uint64_t die = random() % 100;
      const uint64_t callee = die < 88 ? 0 : die < 95 ? 1 : die < 98 ? 2 : 3;
      at = (at * 31 + callee + 7) % 1'000'003;
      stack.push_back(frames[at % frames.size()]);
    }
    builder.Add(threads[random() % threads.size()], stack, 1);
  }
  builder.collection().event = "cpu-clock";
  builder.collection().rate_hz = 99;
  builder.collection().samples = 100'000;
  return builder.Take();
}

Run RunOf(const std::string& id, const std::string& label) {
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
  run.started_utc_ns = kNoonUtcNs;
  run.conditions.cpus = {0, 1};
  return run;
}

void Complete(Run* run, double wall_s) {
  run->state = RunState::kDone;
  run->end_reason = EndReason::kExited;
  run->exit_code = 0;
  run->totals.wall_s = wall_s;
  run->totals.cpu_user_s = wall_s * 0.74;
  run->totals.cpu_system_s = wall_s * 0.06;
  run->totals.max_rss_bytes = 48 << 20;
  run->totals.tree_peak_bytes = 52 << 20;
  run->totals.minor_faults = 12345;
  run->totals.voluntary_switches = 4321;
  run->totals.max_threads = 3;
  run->totals.max_processes = 1;
  run->totals.run_queue_wait_s = 0.127;
  run->threads = {{100, 100, "camera", wall_s * 0.7, 0.125, "0-1"},
                  {100, 101, "worker", wall_s * 0.1, 0.002, "0-1"}};
  run->counters = {{"task-clock", wall_s * 0.8e9, 1},
                   {"context-switches", 4342, 1}};
  run->profiler = {0.031, 9 << 20};
  run->unavailable = {
      {"cycles, instructions", "this machine has no hardware counters"}};
  run->output_tail = "500 frames\n";
  run->output_bytes = 11;
}

void AddSeries(RunWriter* writer, const std::string& worker, int seconds) {
  std::mt19937_64 random(5);
  const auto noise = [&](double size) {
    return size * (static_cast<double>(random() % 2000) / 1000 - 1);
  };
  const int64_t cpu =
      writer->SeriesId(SeriesKind::kSystem, "cpu_percent", "percent");
  const int64_t rss = writer->SeriesId(SeriesKind::kSystem, "rss", "bytes");
  const int64_t heat =
      writer->SeriesId(SeriesKind::kSystem, "temperature", "celsius");
  const int64_t steal =
      writer->SeriesId(SeriesKind::kSystem, "steal", "percent");
  const int64_t queue = writer->SeriesId(SeriesKind::kGauge, "queue", "");
  const int64_t first = writer->SeriesId(
      SeriesKind::kSystem, "cpu_percent of thread 100 camera", "percent");
  const int64_t second = writer->SeriesId(
      SeriesKind::kSystem, "cpu_percent of thread 101 " + worker, "percent");
  for (int i = 0; i < seconds * 10; ++i) {
    const int64_t t_ns = i * 100 * kNsPerMs;
    const double wave = std::sin(i / 20.0);
    writer->AddPoint(cpu, {t_ns, 80 + 12 * wave + noise(4)});
    writer->AddPoint(
        rss, {t_ns, 4.0e7 + 8e6 * (1 - std::exp(-i / 30.0)) + noise(2e5)});
    writer->AddPoint(queue, {t_ns, std::floor(3 + 2 * wave + noise(1))});
    if (i % 10 == 0) {
      writer->AddPoint(heat, {t_ns, 52 + 9 * (1 - std::exp(-i / 60.0))});
      writer->AddPoint(steal, {t_ns, 0});
      writer->AddPoint(first, {t_ns, 70 + 10 * wave + noise(3)});
      writer->AddPoint(second, {t_ns, 10 + 3 * wave + noise(1)});
    }
  }
}

// Frames of about `center_ms` with a tail to the right; one in 60 is slow.
int64_t FrameNs(double center_ms, std::mt19937_64* random) {
  std::lognormal_distribution<double> body(std::log(center_ms), 0.12);
  const bool slow = (*random)() % 60 == 0;
  return static_cast<int64_t>(body(*random) * (slow ? 2.4 : 1) * 1e6);
}

bool AddRun(Store* store, Run run, double frame_ms,
            const stacks::StackProfile& profile, const std::string& span,
            const std::string& worker) {
  auto writer = store->Begin(run);
  if (!writer) {
    return false;
  }
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, span, "");
  const int64_t detect = writer->SeriesId(SeriesKind::kSpan, "detect", "");
  std::mt19937_64 random(42);
  for (int i = 0; i < 3000; ++i) {
    const int64_t wall_ns = FrameNs(frame_ms, &random);
    const Span whole{i * 25 * kNsPerMs, wall_ns, wall_ns * 9 / 10, 100, 0};
    const Span part{i * 25 * kNsPerMs, wall_ns / 3, wall_ns / 4, 100, 0};
    writer->AddSpans(frames, {&whole, 1});
    writer->AddSpans(detect, {&part, 1});
  }
  AddSeries(&*writer, worker, 75);
  writer->SetStacks(profile);
  Complete(&run, 75);
  if (!worker.empty()) {
    run.threads[1].name = worker;
  }
  return writer->Finish(run).ok();
}

bool AddBare(Store* store) {
  Run run = RunOf("cccc00000003", "bare");
  auto writer = store->Begin(run);
  if (!writer) {
    return false;
  }
  Complete(&run, 1.5);
  run.threads.clear();
  run.counters.clear();
  run.exit_code = 3;
  return writer->Finish(run).ok();
}

bool AddJobs(Store* store) {
  Run run = RunOf("eeee00000005", "jobs");
  auto writer = store->Begin(run);
  if (!writer) {
    return false;
  }
  const int64_t control = writer->SeriesId(SeriesKind::kJob, "control", "");
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const int64_t release_ns = i * 10 * kNsPerMs;
    const int64_t start_ns =
        release_ns + 50'000 + static_cast<int64_t>(random() % 100'000);
    const Job job{release_ns,
                  start_ns,
                  start_ns + FrameNs(5, &random),
                  release_ns + 10 * kNsPerMs,
                  -1,
                  100};
    writer->AddJobs(control, {&job, 1});
  }
  Complete(&run, 20);
  return writer->Finish(run).ok();
}

bool AddLarge(Store* store) {
  Run run = RunOf("ffff00000006", "large");
  auto writer = store->Begin(run);
  if (!writer) {
    return false;
  }
  std::mt19937_64 random(11);
  std::vector<int64_t> names;
  for (const char* name : {"capture", "decode", "resize", "infer", "track",
                           "encode", "publish", "frame"}) {
    names.push_back(writer->SeriesId(SeriesKind::kSpan, name, ""));
  }
  constexpr int kSpans = 1'000'000;
  for (int i = 0; i < kSpans; ++i) {
    const size_t which = static_cast<size_t>(i) % names.size();
    const int64_t wall_ns =
        FrameNs(0.5 + static_cast<double>(which), &random) / 10;
    const Span span{i * (600 * kNsPerSecond / kSpans), wall_ns, wall_ns, 100,
                    0};
    writer->AddSpans(names[which], {&span, 1});
    if (i % 50'000 == 0 && !writer->Flush().ok()) {
      return false;
    }
  }
  AddSeries(&*writer, "worker", 600);
  writer->SetStacks(LargeProfile());
  Complete(&run, 600);
  return writer->Finish(run).ok();
}

bool AddSmall(Store* store) {
  Run hostile = RunOf("dddd00000004", kHostile);
  hostile.command = {kHostile, "--flag", kHostile};
  hostile.note = kHostile;
  hostile.warnings = {kHostile};
  hostile.machine.hostname = kHostile;
  hostile.conditions.env = {{"NAME", kHostile}};
  return AddRun(store, RunOf("aaaa00000001", "before"), 18,
                SmallProfile(490, "jitted"), "frame", "worker") &&
         AddRun(store, RunOf("bbbb00000002", "after"), 15,
                SmallProfile(300, "jitted"), "frame", "worker") &&
         AddBare(store) &&
         AddRun(store, hostile, 18, SmallProfile(490, kHostile), kHostile,
                kHostile) &&
         AddJobs(store);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fputs("usage: make_page_store FOLDER [large]\n", stderr);
    return 2;
  }
  auto store = Store::Open(argv[1]);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  const bool large = argc == 3 && std::strcmp(argv[2], "large") == 0;
  return (large ? AddLarge(&*store) : AddSmall(&*store)) ? 0 : 1;
}
