#include "mqtt/stage_recorder.h"

#include <algorithm>
#include <utility>

#include "mqtt/names.h"

namespace edgewise::mqtt {
namespace {

constexpr size_t kMostWaiting = 10'000;

}  // namespace

StageRecorder::StageRecorder(RoleRecords& records, std::optional<uint64_t> run,
                             ClockOf clock_of)
    : run_(run),
      clock_of_(std::move(clock_of)),
      received_(records.Counter(kReceived)),
      duplicated_(records.Counter(kDuplicated)),
      reordered_(records.Counter(kReordered)),
      foreign_(records.Counter(kForeign)),
      negative_(records.Counter(kNegative)),
      unplaced_(records.Counter(kUnplaced)) {
  for (const Stage stage : kAllStages) {
    names_[static_cast<size_t>(stage)] = edgewise_intern(StageName(stage));
  }
  const auto gauge = [this, &records](const char* name, Stage stage) {
    records.Gauge(name, [this, stage] {
      return static_cast<double>(bounds_ns_[static_cast<size_t>(stage)].load());
    });
  };
  gauge(kClockBound, Stage::kToProcessor);
  gauge(kClockBoundConsumer, Stage::kToConsumer);
  gauge(kClockBoundTotal, Stage::kTotal);
  records.Gauge(kMostNegative, [this] {
    return static_cast<double>(most_negative_ns_.load());
  });
}

bool StageRecorder::Take(std::string_view payload, const Arrival& arrival) {
  const auto message = ParseMessage(payload);
  if (!message || (run_ && message->run != run_)) {
    ++foreign_;
    return false;
  }
  if (message->warm_up) {
    any_warm_up_ = true;
    return true;
  }
  last_ns_ = arrival.m_ns;
  ++received_;
  SequenceAccount& sequence = message->is_result() ? results_ : requests_;
  switch (sequence.Take(message->id)) {
    case SequenceAccount::Kind::kAgain:
      ++duplicated_;
      return true;
    case SequenceAccount::Kind::kLate:
      ++reordered_;
      break;
    case SequenceAccount::Kind::kNew:
      break;
  }
  unique_ = requests_.unique() + results_.unique();
  if (!Record(*message, arrival)) {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < kMostWaiting) {
      waiting_.push_back({*message, arrival});
    } else {
      ++unplaced_;
    }
  }
  return true;
}

void StageRecorder::Retry() {
  std::deque<Waiting> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting.swap(waiting_);
  }
  for (const Waiting& each : waiting) {
    if (!Record(each.message, each.arrival)) {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(each);
    }
  }
}

bool StageRecorder::Record(const Message& message, const Arrival& arrival) {
  const StageTimes stages = StagesOf(message, arrival, clock_of_);
  // Without the clock of its host nothing but lengths within hosts is known.
  if (!stages[static_cast<size_t>(Stage::kNaive)]) {
    return false;
  }
  for (size_t i = 0; i < kStages; ++i) {
    const auto& stage = stages[i];
    if (!stage) {
      continue;
    }
    int64_t length_ns = stage->length_ns;
    if (length_ns < 0) {
      ++negative_;
      most_negative_ns_ = std::min(most_negative_ns_.load(), length_ns);
      length_ns = 0;
    }
    if (stage->bound_ns > bounds_ns_[i]) {
      bounds_ns_[i] = stage->bound_ns;
    }
    edgewise_span_record(names_[i], static_cast<uint64_t>(stage->start_ns),
                         static_cast<uint64_t>(length_ns), EDGEWISE_NO_CPU_TIME,
                         nullptr, 0);
  }
  return true;
}

}  // namespace edgewise::mqtt
