#include "mqtt/processor.h"

#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/clock.h"
#include "mqtt/end_notice.h"
#include "mqtt/names.h"
#include "mqtt/sequence_account.h"
#include "mqtt/station.h"
#include "mqtt/work.h"

namespace edgewise::mqtt {
namespace {

constexpr int64_t kLookNs = 200 * kNsPerMs;
constexpr int64_t kReplyNs = 30 * kNsPerSecond;
constexpr int64_t kAnswersNs = 2 * kNsPerSecond;

struct Waiting {
  Message message;
  int64_t received_ns = 0;
  std::string payload;  // only where the work wants it
};

class Processor {
 public:
  explicit Processor(const PipelineSettings& settings)
      : settings_(settings),
        control_(settings.report_fd),
        records_(RoleName(Role::kProcess)),
        received_(records_.Counter(kProcessorReceived)),
        duplicated_(records_.Counter(kProcessorDuplicated)),
        foreign_(records_.Counter(kProcessorForeign)),
        dropped_(records_.Counter(kDropped)),
        failed_(records_.Counter(kWorkFailed)),
        replied_(records_.Counter(kReplied)),
        unreplied_(records_.Counter(kUnreplied)),
        work_(MakeWork(settings, control_)),
        station_(settings, std::string(RoleName(Role::kProcess)), control_,
                 records_) {}

  Result<void> Run();

 private:
  // On the transport's thread.
  void Arrived(const Received& received);
  std::optional<Waiting> Next(int64_t until_ns);
  Result<void> Process(const Waiting& waiting);
  void Reply(Message* message, const WorkDone& done);

  const PipelineSettings& settings_;
  RoleControl control_;
  RoleRecords records_;
  RoleRecords::Count& received_;
  RoleRecords::Count& duplicated_;
  RoleRecords::Count& foreign_;
  RoleRecords::Count& dropped_;
  RoleRecords::Count& failed_;
  RoleRecords::Count& replied_;
  RoleRecords::Count& unreplied_;
  std::unique_ptr<Work> work_;
  std::mutex mutex_;
  std::deque<Waiting> queue_;
  SequenceAccount sequence_;         // on the transport's thread only
  std::atomic<bool> ended_ = false;  // a producer said so
  const bool answers_at_once_ = settings_.command.empty() && settings_.qos == 0;
  Station station_;  // last: its thread uses the others
};

void Processor::Arrived(const Received& received) {
  if (received.topic == ControlTopic(settings_)) {
    const auto notice = ParseEndNotice(received.payload);
    if (notice && (!settings_.run || notice->run == settings_.run)) {
      ended_ = true;
      control_.Wake();
    }
    return;
  }
  const auto message = ParseMessage(received.payload);
  if (!message || message->is_result() ||
      (settings_.run && message->run != settings_.run)) {
    ++foreign_;
    return;
  }
  if (!message->warm_up) {
    ++received_;
    if (settings_.run &&
        sequence_.Take(message->id) == SequenceAccount::Kind::kAgain) {
      ++duplicated_;
    }
  }
  // Where there is nothing to do another thread would only cost a switch.
  if (answers_at_once_ && station_.transport().HasRoom(kMostJsonBytes)) {
    (void)Process({*message, received.at_ns, {}});
    return;
  }
  Waiting waiting{*message, received.at_ns, {}};
  if (settings_.per_message) {
    waiting.payload = received.payload;
  }
  {
    const std::lock_guard lock(mutex_);
    if (std::ssize(queue_) >= settings_.queue_length) {
      dropped_ += message->warm_up ? 0 : 1;
      return;
    }
    queue_.push_back(std::move(waiting));
  }
  control_.Wake();
}

std::optional<Waiting> Processor::Next(int64_t until_ns) {
  const auto any = [this] {
    const std::lock_guard lock(mutex_);
    return !queue_.empty();
  };
  if (!control_.WaitUntil(until_ns, any)) {
    return std::nullopt;
  }
  const std::lock_guard lock(mutex_);
  Waiting waiting = std::move(queue_.front());
  queue_.pop_front();
  return waiting;
}

void Processor::Reply(Message* message, const WorkDone& done) {
  const clocks::WallClock& clock = station_.clock();
  message->processor = station_.host();
  message->m_start_ns = done.start_ns;
  message->m_done_ns = done.end_ns;
  message->t_done_ns = clock.At(done.end_ns);
  Transport& transport = station_.transport();
  const std::string topic = ResultTopic(settings_);
  std::string result;
  const int64_t latest_ns = MonotonicNs() + kReplyNs;
  for (;;) {
    const int64_t now_ns = MonotonicNs();
    message->m_reply_ns = now_ns;
    message->t_reply_ns = clock.At(now_ns);
    EncodeMessage(*message, settings_.format, 0, done.output, &result);
    const auto published = transport.Publish(topic, result, settings_.qos, 0);
    if (published) {
      replied_ += message->warm_up ? 0 : 1;
      return;
    }
    const bool full = published.error().code == ErrorCode::kBusy;
    if ((settings_.qos == 0 && !full) || control_.stopped() ||
        now_ns >= latest_ns) {
      unreplied_ += message->warm_up ? 0 : 1;
      return;
    }
    const int window = transport.facts().window;
    control_.WaitUntil(latest_ns, [&transport, window] {
      return transport.connected() && transport.in_flight() < window;
    });
  }
}

Result<void> Processor::Process(const Waiting& waiting) {
  Message message = waiting.message;
  message.m_recv_ns = waiting.received_ns;
  message.t_recv_ns = station_.clock().At(waiting.received_ns);
  const auto done = work_->Do(waiting.payload, waiting.received_ns);
  if (!done) {
    return done.error();
  }
  if (!*done) {
    failed_ += message.warm_up ? 0 : 1;
    return {};
  }
  Reply(&message, **done);
  return {};
}

Result<void> Processor::Run() {
  records_.Gauge(kQueued, [this] {
    const std::lock_guard lock(mutex_);
    return static_cast<double>(queue_.size());
  });
  StationEvents events;
  events.message = [this](const Received& message) { Arrived(message); };
  events.answer = [this](uint64_t, int64_t, std::string_view) {
    control_.Wake();
  };
  events.connection = [this](bool) { control_.Wake(); };
  if (const auto connected = station_.Connect(std::move(events)); !connected) {
    return connected;
  }
  if (const auto begun = work_->Begin(); !begun) {
    return begun;
  }
  if (const auto pid = work_->pid()) {
    records_.Watch(kApp, *pid);
  }
  Transport& transport = station_.transport();
  for (const auto& [topic, qos] : {std::pair(settings_.topic, settings_.qos),
                                   std::pair(ControlTopic(settings_), 1)}) {
    if (const auto subscribed = transport.Subscribe(topic, qos); !subscribed) {
      return subscribed;
    }
  }
  if (const auto answering = station_.AnswerClockQuestions(); !answering) {
    return answering;
  }
  records_.Start();
  control_.Say(kSayReady);
  Result<void> outcome;
  int64_t busy_ns = MonotonicNs();
  while (!control_.stopped()) {
    if (const auto waiting = Next(MonotonicNs() + kLookNs)) {
      outcome = Process(*waiting);
      if (!outcome) {
        break;
      }
      busy_ns = MonotonicNs();
    } else if (ended_ && !control_.conducted() &&
               MonotonicNs() - busy_ns > settings_.drain_ns) {
      break;
    }
    while (control_.NextLine()) {
    }
  }
  const int64_t until_ns = MonotonicNs() + kAnswersNs;
  while (transport.in_flight() > 0 && MonotonicNs() < until_ns &&
         !control_.stopped()) {
    control_.WaitUntil(until_ns,
                       [&transport] { return transport.in_flight() == 0; });
  }
  work_->End();
  records_.Finish();
  station_.Disconnect();
  return outcome;
}

}  // namespace

Result<void> RunProcessor(const PipelineSettings& settings) {
  return std::make_unique<Processor>(settings)->Run();
}

}  // namespace edgewise::mqtt
