#include "mqtt/consumer.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "mqtt/clock_watch.h"
#include "mqtt/end_notice.h"
#include "mqtt/stage_recorder.h"
#include "mqtt/station.h"

namespace edgewise::mqtt {
namespace {

constexpr int64_t kLookNs = 50 * kNsPerMs;

class Consumer {
 public:
  explicit Consumer(const PipelineSettings& settings)
      : settings_(settings),
        control_(settings.report_fd),
        records_(RoleName(Role::kConsume)),
        station_(settings, std::string(RoleName(Role::kConsume)), control_,
                 records_),
        clocks_("consumer-" + std::to_string(station_.host()), station_.host()),
        recorder_(records_, settings.run,
                  [this](uint64_t host) { return clocks_.Of(host); }) {}
  ~Consumer() { station_.Disconnect(); }

  Result<void> Run();
  Result<void> Listen(const std::string& filter,
                      std::optional<int64_t> duration_ns);

 private:
  // On the transport's thread.
  void Arrived(const Received& received);
  Result<void> Connect();
  // Asks for clocks, and uses what was answered.
  void LookAtClocks();
  void TakeLines();
  bool Done();
  void Finish();

  const PipelineSettings& settings_;
  RoleControl control_;
  RoleRecords records_;
  Station station_;
  ClockWatch clocks_;
  StageRecorder recorder_;
  const std::string control_topic_ = ControlTopic(settings_);
  const std::string answer_topic_ = ClockAnswerTopic(settings_);
  const std::string ask_topic_ = ClockAskTopic(settings_);
  std::atomic<int64_t> sent_ = -1;  // that a producer sent; -1: not said yet
  std::atomic<int64_t> sent_known_ns_ = 0;
  int64_t next_question_ns_ = 0;
  bool told_through_ = false;
};

void Consumer::Arrived(const Received& received) {
  if (received.topic == answer_topic_) {
    clocks_.Answered(received.payload, station_.clock().At(received.at_ns));
    return;
  }
  if (received.topic == ask_topic_) {
    return;  // others ask, or we did: a filter such as lab/# has these too
  }
  if (received.topic == control_topic_) {
    const auto notice = ParseEndNotice(received.payload);
    if (notice && (!settings_.run || notice->run == settings_.run)) {
      sent_known_ns_ = received.at_ns;
      sent_ = notice->sent;
      control_.Wake();
    }
    return;
  }
  (void)recorder_.Take(
      received.payload,
      {received.at_ns, station_.clock().At(received.at_ns), station_.host()});
  if (!told_through_ && recorder_.any_warm_up()) {
    told_through_ = true;
    control_.Say(kSayThrough);
  }
}

Result<void> Consumer::Connect() {
  StationEvents events;
  events.message = [this](const Received& message) { Arrived(message); };
  return station_.Connect(std::move(events));
}

void Consumer::LookAtClocks() {
  const int64_t now_ns = MonotonicNs();
  if (now_ns < next_question_ns_) {
    return;
  }
  (void)station_.transport().Publish(
      ClockAskTopic(settings_), clocks_.Ask(station_.clock().NowNs()), 0, 0);
  next_question_ns_ = now_ns + clocks_.PauseNs();
  clocks_.Estimate();
  recorder_.Retry();
}

void Consumer::TakeLines() {
  while (const auto line = control_.NextLine()) {
    if (line->starts_with(kSaySent)) {
      const auto sent = ParseInt(line->substr(kSaySent.size()));
      if (sent && sent_ < 0) {
        sent_known_ns_ = MonotonicNs();
        sent_ = *sent;
      }
    }
  }
}

bool Consumer::Done() {
  if (sent_ < 0) {
    return false;
  }
  if (recorder_.unique() >= sent_) {
    return true;
  }
  const int64_t last_ns = std::max(sent_known_ns_.load(), recorder_.last_ns());
  return MonotonicNs() - last_ns > settings_.drain_ns;
}

void Consumer::Finish() {
  clocks_.Estimate();
  recorder_.Retry();
  records_.Finish();
  station_.Disconnect();
}

Result<void> Consumer::Run() {
  if (const auto connected = Connect(); !connected) {
    return connected;
  }
  Transport& transport = station_.transport();
  for (const auto& [topic, qos] :
       {std::pair(ResultTopic(settings_), settings_.qos),
        std::pair(control_topic_, 1), std::pair(answer_topic_, 0)}) {
    if (const auto subscribed = transport.Subscribe(topic, qos); !subscribed) {
      return subscribed;
    }
  }
  records_.Start();
  control_.Say(kSayReady);
  while (!control_.stopped() && !Done()) {
    TakeLines();
    LookAtClocks();
    control_.WaitUntil(MonotonicNs() + kLookNs, [this] {
      return sent_ >= 0 && recorder_.unique() >= sent_;
    });
  }
  Finish();
  return {};
}

Result<void> Consumer::Listen(const std::string& filter,
                              std::optional<int64_t> duration_ns) {
  if (const auto connected = Connect(); !connected) {
    return connected;
  }
  Transport& transport = station_.transport();
  if (const auto subscribed = transport.Subscribe(filter, settings_.qos);
      !subscribed) {
    return subscribed;
  }
  (void)transport.Subscribe(answer_topic_, 0);
  records_.Start();
  control_.Say(kSayReady);
  const int64_t until_ns = duration_ns ? MonotonicNs() + *duration_ns
                                       : std::numeric_limits<int64_t>::max();
  while (!control_.stopped() && MonotonicNs() < until_ns) {
    LookAtClocks();
    control_.WaitUntil(std::min(until_ns, MonotonicNs() + kLookNs),
                       [] { return false; });
  }
  Finish();
  return {};
}

}  // namespace

Result<void> RunConsumer(const PipelineSettings& settings) {
  return std::make_unique<Consumer>(settings)->Run();
}

Result<void> RunListener(const PipelineSettings& settings,
                         const std::string& filter,
                         std::optional<int64_t> duration_ns) {
  return std::make_unique<Consumer>(settings)->Listen(filter, duration_ns);
}

}  // namespace edgewise::mqtt
