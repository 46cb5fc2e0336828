#include "mqtt/stages.h"

namespace edgewise::mqtt {
namespace {

using clocks::Moment;
using MaybeMoment = std::optional<Moment>;
using MaybeNs = std::optional<int64_t>;

struct StageInfo {
  const char* name;
  std::string_view text;
  bool on_path;
  bool one_way;
};

const StageInfo& InfoOf(Stage stage) {
  static constexpr std::array<StageInfo, kStages> kInfos{{
      {"late", "meant to be published → publish call", true, false},
      {"to processor", "publish call → received by the processor", true, true},
      {"queue", "received → work started", true, false},
      {"work", "work started → work done", true, false},
      {"reply", "work done → publish call of the result", true, false},
      {"to done", "publish call → work done, not told apart", true, true},
      {"to consumer", "last publish call → received by the consumer", true,
       true},
      {"total", "meant to be published → received by the consumer", false,
       true},
      {"total, naive", "publish call → received by the consumer", false, true},
      {"broker ack", "publish call → the broker's answer, beside the path",
       false, false},
  }};
  return kInfos[static_cast<size_t>(stage)];
}

// Times of one host on our own CLOCK_MONOTONIC.
class HostTimes {
 public:
  HostTimes(std::optional<uint64_t> host, const Arrival& arrival,
            const ClockOf& clock_of)
      : arrival_(arrival), own_(host && *host == arrival.host) {
    if (host && !own_) {
      estimate_ = clock_of(*host);
      known_ = estimate_ != nullptr;
    }
  }

  // A moment by what the host wrote of it: its monotonic clock, and its wall
  // clock. `m_anchor` and `t_anchor` are another moment by both, for moments
  // whose wall clock it did not write.
  MaybeMoment At(MaybeNs m_ns, MaybeNs t_ns, MaybeNs m_anchor = {},
                 MaybeNs t_anchor = {}) const {
    if (own_ && m_ns) {
      return Moment{*m_ns, 0};
    }
    if (!t_ns && m_ns && m_anchor && t_anchor) {
      t_ns = *t_anchor + (*m_ns - *m_anchor);
    }
    if (!t_ns || !known_) {
      return std::nullopt;
    }
    Moment at{*t_ns, 0};
    if (estimate_ != nullptr) {
      at = estimate_->ToLocal(*t_ns);
    }
    return Moment{arrival_.m_ns - (arrival_.t_ns - at.at_ns), at.bound_ns};
  }

 private:
  const Arrival& arrival_;
  bool own_;
  bool known_ = true;
  const clocks::ClockEstimate* estimate_ = nullptr;
};

std::optional<StageTime> Between(const MaybeMoment& from,
                                 const MaybeMoment& to) {
  if (!from || !to) {
    return std::nullopt;
  }
  return StageTime{from->at_ns, to->at_ns - from->at_ns,
                   from->bound_ns + to->bound_ns};
}

// Within one host nothing is added to the error.
std::optional<StageTime> Within(const MaybeMoment& from, MaybeNs m_from,
                                MaybeNs m_to) {
  if (!m_from || !m_to) {
    return std::nullopt;
  }
  return StageTime{from ? from->at_ns : 0, *m_to - *m_from, 0};
}

}  // namespace

const char* StageName(Stage stage) { return InfoOf(stage).name; }
std::string_view StageText(Stage stage) { return InfoOf(stage).text; }
bool OnPath(Stage stage) { return InfoOf(stage).on_path; }
bool OneWay(Stage stage) { return InfoOf(stage).one_way; }

StageTimes StagesOf(const Message& message, const Arrival& arrival,
                    const ClockOf& clock_of) {
  StageTimes stages;
  const auto set = [&stages](Stage stage, std::optional<StageTime> time) {
    stages[static_cast<size_t>(stage)] = time;
  };
  const HostTimes producer(message.host, arrival, clock_of);
  const MaybeMoment pub = producer.At(message.m_pub_ns, message.t_pub_ns);
  const MaybeMoment due =
      producer.At(message.m_due_ns, {}, message.m_pub_ns, message.t_pub_ns);
  const Moment received{arrival.m_ns, 0};
  set(Stage::kLate, Within(due, message.m_due_ns, message.m_pub_ns));
  set(Stage::kTotal, Between(due, received));
  set(Stage::kNaive, Between(pub, received));
  if (!message.is_result()) {
    set(Stage::kToConsumer, Between(pub, received));
    return stages;
  }
  const HostTimes processor(message.processor, arrival, clock_of);
  const MaybeMoment recv = processor.At(message.m_recv_ns, message.t_recv_ns);
  const MaybeMoment done = processor.At(message.m_done_ns, message.t_done_ns);
  const MaybeMoment reply =
      processor.At(message.m_reply_ns, message.t_reply_ns);
  const MaybeMoment start = processor.At(message.m_start_ns, {},
                                         message.m_recv_ns, message.t_recv_ns);
  set(Stage::kToProcessor, Between(pub, recv));
  set(Stage::kQueue, Within(recv, message.m_recv_ns, message.m_start_ns));
  set(Stage::kWork, Within(start, message.m_start_ns, message.m_done_ns));
  set(Stage::kReply, Within(done, message.m_done_ns, message.m_reply_ns));
  if (!message.m_recv_ns) {
    set(Stage::kToDone, Between(pub, done));
  }
  set(Stage::kToConsumer, Between(reply ? reply : done, received));
  return stages;
}

}  // namespace edgewise::mqtt
