#include "probes/stacks/stack_sampler.h"

#include <poll.h>
#include <sys/epoll.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/units.h"
#include "probes/stacks/mapped_files.h"
#include "probes/stacks/record_taker.h"
#include "probes/stacks/sample_record.h"
#include "probes/stacks/sampling_budget.h"
#include "stacks/spool.h"

namespace edgewise {
namespace {

constexpr int64_t kMostDrainNs = 100 * kNsPerMs;
constexpr int64_t kLeastDrainNs = 5 * kNsPerMs;
// What a sample takes beside the copied stack.
constexpr uint64_t kSampleOverheadBytes = 512;
// The rate is not slowed further than this.
constexpr uint32_t kMostSlowed = 16;

}  // namespace

struct StackSampler::State {
  State(SamplingEvents e, stacks::SpoolWriter s, const StackSamplerOptions& o)
      : events(std::move(e)),
        taker(std::move(s), o.stage_bytes),
        options(o),
        budget(o.rate_hz) {}

  SamplingEvents events;
  RecordTaker taker;
  StackSamplerOptions options;
  SamplingBudget budget;
  int epoll = -1;  // others'
  uint64_t epoll_data = 0;
  bool wakes = false;  // the rings are in `epoll`
  PerfRecord record;

  void WakeForPython();
  void KeepToBudget(int64_t now_ns);
  void ForgetEnded();
};

void StackSampler::State::WakeForPython() {
  if (wakes || epoll < 0 || !taker.any_python()) {
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

void StackSampler::State::KeepToBudget(int64_t now_ns) {
  if (!wakes || events.by_inheritance || taker.slowed() == kMostSlowed ||
      !budget.Due(now_ns) || !budget.Exceeded(now_ns, ThreadCpuNs())) {
    return;
  }
  taker.set_slowed(taker.slowed() * 2);
  for (const PerfRing& ring : events.rings) {
    ring.SetPeriod(SamplingPeriodNs(options.rate_hz) * taker.slowed());
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
      for (const PerfRecord& map : ReadExecutableMaps(pid, &names)) {
        state->taker.TakeMap(map);
      }
      for (const stacks::SpooledLife& life : ReadThreadNames(pid)) {
        state->taker.Add(life);
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

bool StackSampler::reads_python() const { return state_->taker.any_python(); }

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
    if (s.events.tree.Takes(s.record)) {
      s.taker.Take(s.record, limit_ns);
    }
    first->Pop();
    first->Release();
  }
  s.WakeForPython();
  s.KeepToBudget(now_ns);
  s.ForgetEnded();
  s.taker.Look(now_ns);
}

void StackSampler::Stop(int64_t now_ns) {
  for (const PerfRing& ring : state_->events.rings) {
    ring.Disable();
  }
  Drain(now_ns);
  state_->taker.Finish();
}

std::map<uint32_t, int> StackSampler::Descriptors() const {
  return state_->taker.files().Descriptors();
}

uint64_t StackSampler::spool_bytes() const {
  return state_->taker.spool_bytes();
}

std::vector<std::string> StackSampler::notes() const {
  const State& s = *state_;
  std::vector<std::string> notes = s.taker.notes();
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
  return notes;
}

}  // namespace edgewise
