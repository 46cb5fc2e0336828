#include "mqtt/producer.h"

#include <array>
#include <atomic>
#include <memory>
#include <string>

#include "base/text.h"
#include "edgewise/edgewise.h"
#include "mqtt/end_notice.h"
#include "mqtt/names.h"
#include "mqtt/stages.h"
#include "mqtt/station.h"

namespace edgewise::mqtt {
namespace {

constexpr int64_t kProbeEveryNs = 100 * kNsPerMs;
// After the last message was due: until then late ones may still go out.
constexpr int64_t kLatestNs = 30 * kNsPerSecond;
constexpr int64_t kAnswersNs = 10 * kNsPerSecond;
constexpr int64_t kLongNs = 3600 * kNsPerSecond;
// Cookies that are no message's id.
constexpr uint64_t kNoId = uint64_t{1} << 62;

class Producer {
 public:
  explicit Producer(const PipelineSettings& settings)
      : settings_(settings),
        control_(settings.report_fd),
        records_(RoleName(Role::kProduce)),
        sent_(records_.Counter(kSent)),
        refused_(records_.Counter(kRefused)),
        unsent_(records_.Counter(kUnsent)),
        acknowledged_(records_.Counter(kAcknowledged)),
        rejected_(records_.Counter(kAnswerRefused)),
        station_(settings, std::string(RoleName(Role::kProduce)), control_,
                 records_) {}

  Result<void> Run();

 private:
  // Whether it went out; `may_wait`: as soon as it can, else now or never.
  bool Send(int64_t id, bool warm_up, int64_t due_ns, int64_t latest_ns);
  void ProbeUntilGo();
  void Produce();
  void Answered(uint64_t cookie, int64_t at_ns, std::string_view refusal);

  const PipelineSettings& settings_;
  RoleControl control_;
  RoleRecords records_;
  RoleRecords::Count& sent_;
  RoleRecords::Count& refused_;
  RoleRecords::Count& unsent_;
  RoleRecords::Count& acknowledged_;
  RoleRecords::Count& rejected_;
  const edgewise_name ack_ = edgewise_intern(StageName(Stage::kAck));
  // When messages in flight were published, by the low bits of their id; more
  // than the largest window.
  std::array<std::atomic<int64_t>, 1 << 17> published_ns_{};
  std::string buffer_;
  std::string refusal_;  // of the broker, the first; guarded by refusal_mutex_
  std::mutex refusal_mutex_;
  Station station_;  // last: its thread uses the others
};

void Producer::Answered(uint64_t cookie, int64_t at_ns,
                        std::string_view refusal) {
  if (cookie < kNoId) {
    ++acknowledged_;
    const int64_t from_ns = published_ns_[cookie % published_ns_.size()];
    if (refusal.empty() && at_ns > from_ns) {
      edgewise_span_record(ack_, static_cast<uint64_t>(from_ns),
                           static_cast<uint64_t>(at_ns - from_ns),
                           EDGEWISE_NO_CPU_TIME, nullptr, 0);
    }
  }
  if (!refusal.empty()) {
    ++rejected_;
    const std::lock_guard lock(refusal_mutex_);
    refusal_ = refusal_.empty() ? std::string(refusal) : refusal_;
  }
  control_.Wake();
}

bool Producer::Send(int64_t id, bool warm_up, int64_t due_ns,
                    int64_t latest_ns) {
  Message message;
  message.id = id;
  message.run = settings_.run;
  message.warm_up = warm_up;
  message.host = station_.host();
  message.m_due_ns = due_ns;
  Transport& transport = station_.transport();
  for (;;) {
    const int64_t now_ns = MonotonicNs();
    message.m_pub_ns = now_ns;
    message.t_pub_ns = station_.clock().At(now_ns);
    EncodeMessage(message, settings_.format,
                  static_cast<size_t>(settings_.payload_bytes), {}, &buffer_);
    published_ns_[static_cast<size_t>(id) % published_ns_.size()] = now_ns;
    const auto published =
        transport.Publish(settings_.topic, buffer_, settings_.qos,
                          warm_up ? kNoId : static_cast<uint64_t>(id));
    if (published) {
      return true;
    }
    const bool full = published.error().code == ErrorCode::kBusy;
    if ((settings_.qos == 0 && !full) || control_.stopped() ||
        MonotonicNs() >= latest_ns) {
      return false;
    }
    const int window = transport.facts().window;
    control_.WaitUntil(latest_ns, [&transport, window] {
      return transport.connected() && transport.in_flight() < window;
    });
  }
}

void Producer::ProbeUntilGo() {
  bool probing = false;
  int64_t id = 0;
  while (!control_.stopped()) {
    if (const auto line = control_.NextLine()) {
      if (*line == kSayGo) {
        return;
      }
      probing = probing || *line == kSayProbe;
      continue;
    }
    if (probing) {
      const int64_t now_ns = MonotonicNs();
      (void)Send(id++, /*warm_up=*/true, now_ns, now_ns);
    }
    control_.WaitUntil(MonotonicNs() + (probing ? kProbeEveryNs : kLongNs),
                       [] { return false; });
  }
}

void Producer::Produce() {
  stats::Arrivals arrivals(settings_.arrivals, 1e9 / settings_.rate_per_s,
                           settings_.seed);
  const int64_t first_ns = MonotonicNs() + 10 * kNsPerMs;
  for (int64_t i = 0; i < settings_.warm_up && !control_.stopped(); ++i) {
    const int64_t due_ns = first_ns + arrivals.NextOffsetNs();
    control_.SleepUntil(due_ns);
    (void)Send(i, /*warm_up=*/true, due_ns, due_ns + kLatestNs);
  }
  // Ends of late messages are late as well, but not for ever.
  const int64_t length_ns = static_cast<int64_t>(
      1e9 / settings_.rate_per_s *
      static_cast<double>(settings_.messages + settings_.warm_up));
  const int64_t latest_ns = first_ns + length_ns + kLatestNs;
  int64_t next = 0;
  for (; next < settings_.messages && !control_.stopped(); ++next) {
    const int64_t due_ns = first_ns + arrivals.NextOffsetNs();
    control_.SleepUntil(due_ns);
    if (control_.stopped() || MonotonicNs() >= latest_ns) {
      break;
    }
    const bool out = Send(next, /*warm_up=*/false, due_ns, latest_ns);
    if (!out && settings_.qos > 0) {
      break;
    }
    ++sent_;
    refused_ += out ? 0 : 1;
  }
  unsent_ += control_.stopped() ? 0 : settings_.messages - next;
}

Result<void> Producer::Run() {
  records_.Gauge(kInFlight, [this] {
    return static_cast<double>(station_.transport().in_flight());
  });
  StationEvents events;
  events.answer = [this](uint64_t cookie, int64_t at_ns,
                         std::string_view refusal) {
    Answered(cookie, at_ns, refusal);
  };
  events.connection = [this](bool) { control_.Wake(); };
  if (const auto connected = station_.Connect(std::move(events)); !connected) {
    return connected;
  }
  if (const auto answering = station_.AnswerClockQuestions(); !answering) {
    return answering;
  }
  records_.Start();
  station_.TellFacts();
  control_.Say(kSayReady);
  if (control_.conducted()) {
    ProbeUntilGo();
  }
  Produce();
  Transport& transport = station_.transport();
  const auto all_answered = [&transport] {
    return transport.in_flight() == 0 && transport.connected();
  };
  control_.WaitUntil(MonotonicNs() + kAnswersNs, all_answered);
  // Those who listen elsewhere learn what there was to come.
  const std::string notice = FormatEndNotice({settings_.run, sent_.load()});
  (void)transport.Publish(ControlTopic(settings_), notice, 1, kNoId);
  control_.WaitUntil(MonotonicNs() + kAnswersNs, all_answered);
  control_.Say(std::string(kSaySent) + std::to_string(sent_.load()));
  records_.Finish();
  station_.TellFacts();
  station_.Disconnect();
  const std::lock_guard lock(refusal_mutex_);
  if (!refusal_.empty()) {
    return Error{ErrorCode::kInvalid,
                 "the broker refuses messages of " +
                     std::to_string(settings_.payload_bytes) + " bytes on " +
                     settings_.topic + " (" + refusal_ +
                     "): check its message_size_limit and access rules, or "
                     "make --payload smaller"};
  }
  return {};
}

}  // namespace

Result<void> RunProducer(const PipelineSettings& settings) {
  return std::make_unique<Producer>(settings)->Run();
}

}  // namespace edgewise::mqtt
