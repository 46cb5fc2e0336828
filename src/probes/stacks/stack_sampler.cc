#include "probes/stacks/stack_sampler.h"

#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/units.h"
#include "probes/stacks/mapped_files.h"
#include "probes/stacks/perf_map_watch.h"
#include "probes/stacks/python_watch.h"
#include "stacks/spool.h"

namespace edgewise {
namespace {

constexpr int64_t kMostDrainNs = 100 * kNsPerMs;
constexpr int64_t kLeastDrainNs = 5 * kNsPerMs;
// What a sample takes beside the copied stack.
constexpr uint64_t kSampleOverheadBytes = 512;
// Python frames that are read later than this after the sample say where the
// program went meanwhile, not where it was.
constexpr uint64_t kPythonDelayNs = 10 * kNsPerMs;
// Those within this time are taken for the same place.
constexpr uint64_t kPromptNs = kNsPerMs;
// A share of others above this is worth a word.
constexpr double kMostLate = 0.1;

#if defined(__aarch64__)
constexpr size_t kInstructionPointer = 32;
#else
constexpr size_t kInstructionPointer = 8;
#endif

}  // namespace

struct StackSampler::State {
  State(SamplingEvents e, stacks::SpoolWriter s, const StackSamplerOptions& o)
      : events(std::move(e)),
        spool(std::move(s)),
        options(o),
        next_stage_bytes(o.stage_bytes) {}

  SamplingEvents events;
  stacks::SpoolWriter spool;
  StackSamplerOptions options;
  MappedFiles files;
  PerfMapWatch perf_maps{files, spool};
  PythonWatch python;
  int epoll = -1;  // others'
  uint64_t epoll_data = 0;
  bool wakes = false;  // the rings are in `epoll`

  uint64_t next_stage_bytes;
  uint32_t weight = 1;
  uint64_t seen_samples = 0;
  int64_t late_python = 0;  // samples while somebody ran Python, taken late
  int64_t lost = 0;
  PerfRecord record;
  stacks::SpooledSample sample;

  void Take(uint64_t now_ns);
  void TakeSample(uint64_t now_ns);
  void TakeMap();
  void WakeForPython();
  void ForgetEnded();
};

void StackSampler::State::TakeSample(uint64_t now_ns) {
  if (spool.bytes() > next_stage_bytes) {
    weight *= 2;
    next_stage_bytes += options.stage_bytes;
  }
  if (seen_samples++ % weight != 0) {
    return;
  }
  sample.pid = record.pid;
  sample.tid = record.tid;
  sample.time_ns = record.time_ns;
  sample.weight = weight;
  std::swap(sample.kernel, record.kernel);
  sample.user_ip =
      record.registers.empty() ? 0 : record.registers[kInstructionPointer];
  sample.registers.clear();
  sample.stack = {};
  if (record.user_is_64_bit) {
    std::swap(sample.registers, record.registers);
    sample.stack = record.stack;
  }
  sample.python.clear();
  late_python += now_ns > record.time_ns + kPromptNs && python.any() ? 1 : 0;
  sample.python_state = python.Read(record.pid, record.tid,
                                    now_ns < record.time_ns + kPythonDelayNs,
                                    spool, &sample.python);
  spool.Add(sample);
  perf_maps.Sampled(record.pid, static_cast<int64_t>(now_ns));
}

void StackSampler::State::TakeMap() {
  stacks::SpooledMap map;
  map.pid = record.pid;
  map.start = record.start;
  map.length = record.length;
  map.file_offset = record.file_offset;
  map.file = files.IdOf(record, spool);
  spool.Add(map);
  python.Mapped(record.pid, record.name);
}

void StackSampler::State::Take(uint64_t now_ns) {
  if (!events.tree.Takes(record)) {
    return;
  }
  stacks::SpooledLife life;
  life.pid = record.pid;
  life.tid = record.tid;
  switch (record.kind) {
    case RecordKind::kSample:
      TakeSample(now_ns);
      break;
    case RecordKind::kMap:
      TakeMap();
      break;
    case RecordKind::kFork:
      if (record.pid != record.parent_pid) {
        life.event = stacks::LifeEvent::kFork;
        life.parent = record.parent_pid;
        spool.Add(life);
        python.Forked(record.parent_pid, record.pid);
      }
      break;
    case RecordKind::kExit:
      if (record.pid == record.tid) {
        perf_maps.Ended(record.pid);
        life.event = stacks::LifeEvent::kExit;
        spool.Add(life);
        python.Ended(record.pid);
      }
      break;
    case RecordKind::kName:
      if (record.by_exec) {
        life.event = stacks::LifeEvent::kExec;
        spool.Add(life);
        python.Ended(record.pid);
      }
      life.event = stacks::LifeEvent::kThread;
      life.name = record.name;
      spool.Add(life);
      break;
    case RecordKind::kLost:
      lost += record.lost;
      break;
    case RecordKind::kOther:
      break;
  }
}

void StackSampler::State::WakeForPython() {
  if (wakes || epoll < 0 || !python.any()) {
    return;
  }
  wakes = true;
  for (PerfRing& ring : events.rings) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = epoll_data;
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, ring.fd(), &event);
  }
}

// An event on a process that has ended would keep waking everybody.
void StackSampler::State::ForgetEnded() {
  if (!wakes || !events.by_inheritance) {
    return;
  }
  for (const PerfRing& ring : events.rings) {
    pollfd state{ring.fd(), POLLIN, 0};
    if (::poll(&state, 1, 0) > 0 && (state.revents & POLLHUP) != 0) {
      ::epoll_ctl(epoll, EPOLL_CTL_DEL, ring.fd(), nullptr);
    }
  }
}

StackSampler::StackSampler(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
StackSampler::~StackSampler() = default;

Result<std::unique_ptr<StackSampler>> StackSampler::Open(
    const SamplingTarget& target, const StackSamplerOptions& options,
    const std::filesystem::path& spool) {
  SamplingOptions sampling;
  sampling.rate_hz = options.rate_hz;
  sampling.stack_bytes = options.stack_bytes;
  auto events = OpenSamplingEvents(target, sampling);
  if (!events) {
    return events.error();
  }
  auto writer = stacks::SpoolWriter::Create(spool, options.max_bytes);
  if (!writer) {
    return writer.error();
  }
  auto state =
      std::make_unique<State>(std::move(*events), std::move(*writer), options);
  if (target.attached || !state->events.by_inheritance) {
    for (const PerfRing& ring : state->events.rings) {
      ring.Enable();
    }
  }
  // What ran before, from /proc; all later changes come as records.
  if (target.attached) {
    for (const pid_t pid : target.processes) {
      std::vector<std::string> names;
      for (PerfRecord& map : ReadExecutableMaps(pid, &names)) {
        state->record = std::move(map);
        state->TakeMap();
      }
      for (stacks::SpooledLife& life : ReadThreadNames(pid)) {
        state->spool.Add(life);
      }
    }
  }
  return std::unique_ptr<StackSampler>(new StackSampler(std::move(state)));
}

void StackSampler::WakeThrough(int epoll, uint64_t data) {
  state_->epoll = epoll;
  state_->epoll_data = data;
  state_->WakeForPython();
}

bool StackSampler::reads_python() const { return state_->python.any(); }

int64_t StackSampler::drain_every_ns() const {
  const State& s = *state_;
  const double bytes_each_second =
      s.options.rate_hz *
      static_cast<double>(s.options.stack_bytes + kSampleOverheadBytes);
  const double full_ns =
      static_cast<double>(s.events.rings.front().data_bytes()) /
      bytes_each_second * static_cast<double>(kNsPerSecond);
  return std::clamp(static_cast<int64_t>(full_ns / 3), kLeastDrainNs,
                    kMostDrainNs);
}

void StackSampler::Drain(int64_t now_ns) {
  State& s = *state_;
  const auto limit_ns = static_cast<uint64_t>(now_ns);
  for (PerfRing& ring : s.events.rings) {
    ring.Snapshot();
  }
  // In the order of time over all CPUs: a fork on one comes before the child's
  // samples on another. What is younger than the snapshots waits.
  while (true) {
    PerfRing* first = nullptr;
    uint64_t first_ns = 0;
    for (PerfRing& ring : s.events.rings) {
      const std::string_view bytes = ring.Front();
      if (bytes.empty()) {
        continue;
      }
      const uint64_t time_ns = RecordTimeNs(bytes);
      if (time_ns <= limit_ns && (first == nullptr || time_ns < first_ns)) {
        first = &ring;
        first_ns = time_ns;
      }
    }
    if (first == nullptr) {
      break;
    }
    ParseRecord(first->Front(), &s.record);
    s.Take(limit_ns);
    first->Pop();
    first->Release();
  }
  s.WakeForPython();
  s.ForgetEnded();
  s.perf_maps.Look(now_ns);
}

void StackSampler::Stop(int64_t now_ns) {
  for (const PerfRing& ring : state_->events.rings) {
    ring.Disable();
  }
  Drain(now_ns);
  state_->perf_maps.Finish();
  stacks::SpooledLoss loss;
  loss.samples = state_->lost + state_->spool.dropped_samples();
  state_->spool.Add(loss);
  (void)state_->spool.Flush();
}

std::map<uint32_t, int> StackSampler::Descriptors() const {
  return state_->files.Descriptors();
}

uint64_t StackSampler::spool_bytes() const { return state_->spool.bytes(); }

std::vector<std::string> StackSampler::notes() const {
  const State& s = *state_;
  std::vector<std::string> notes = s.python.notes();
  if (s.events.user_only) {
    notes.emplace_back(
        "stacks end where the kernel begins: this user may not see the "
        "kernel's part (kernel.perf_event_paranoid)");
  }
  if (s.events.by_inheritance) {
    notes.emplace_back(
        "processes that the program starts are sampled a few percent too "
        "seldom; as root they are sampled fully");
  }
  if (static_cast<double>(s.late_python) >
      kMostLate * static_cast<double>(s.seen_samples)) {
    notes.push_back(
        FormatCount(s.late_python) + " of " +
        FormatCount(static_cast<int64_t>(s.seen_samples), "sample") +
        " were taken more than 1 ms late on a busy machine: Python functions "
        "that make system calls may have too large a share; as root they are "
        "taken at once");
  }
  if (s.weight > 1) {
    notes.push_back("many samples came: towards the end one in " +
                    std::to_string(s.weight) + " was kept, and counts as many");
  }
  if (s.spool.dropped_samples() > 0) {
    notes.push_back(FormatCount(s.spool.dropped_samples(), "sample") +
                    " did not fit on the disk");
  }
  return notes;
}

}  // namespace edgewise
