#include "mqtt/station.h"

#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/write_all.h"
#include "clocks/exchange_message.h"
#include "mqtt/host_id.h"
#include "mqtt/names.h"

namespace edgewise::mqtt {
namespace {

constexpr int64_t kFirstPauseNs = 100 * kNsPerMs;
constexpr int64_t kLongestPauseNs = 2 * kNsPerSecond;
constexpr size_t kMostQuestions = 16;

clocks::WallClock ClockFromEnvironment() {
  const auto clock = clocks::WallClock::FromEnvironment();
  return clock ? *clock : clocks::WallClock();
}

}  // namespace

Station::Station(const PipelineSettings& settings, std::string name,
                 RoleControl& control, RoleRecords& records)
    : settings_(settings),
      name_(std::move(name)),
      control_(control),
      reconnects_(records.Counter(name_ + " " + kReconnects)),
      clock_(ClockFromEnvironment()),
      host_(HostId(clock_)) {}

Station::~Station() { Disconnect(); }

Result<void> Station::Connect(StationEvents events) {
  events_ = std::move(events);
  TransportSettings connection = settings_.connection;
  connection.client_id = "edgewise-" + name_ + "-" +
                         std::to_string(settings_.run.value_or(0) % 1'000'000) +
                         "-" + std::to_string(::getpid());
  auto transport = MakeTransport(connection, *this);
  if (!transport) {
    return transport.error();
  }
  transport_ = std::move(*transport);
  const int64_t until_ns = MonotonicNs() + settings_.patience_ns;
  int64_t pause_ns = kFirstPauseNs;
  bool told = false;
  for (;;) {
    const auto connected = transport_->Connect();
    if (connected) {
      return {};
    }
    if (connected.error().code != ErrorCode::kUnsupported ||
        MonotonicNs() + pause_ns >= until_ns || control_.stopped()) {
      return connected;
    }
    if (!told && !control_.conducted()) {
      (void)WriteAll(STDERR_FILENO, "edgewise: " + connected.error().message +
                                        "; trying again\n");
      told = true;
    }
    control_.SleepUntil(MonotonicNs() + pause_ns);
    pause_ns = std::min(2 * pause_ns, kLongestPauseNs);
  }
}

Result<void> Station::AnswerClockQuestions() {
  ask_topic_ = ClockAskTopic(settings_);
  answerer_ = std::thread([this] { AnswerQuestions(); });
  return transport_->Subscribe(ask_topic_, 0);
}

void Station::AnswerQuestions() {
  const std::string topic = ClockAnswerTopic(settings_);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return leaving_ || !questions_.empty(); });
    if (leaving_) {
      return;
    }
    const Question asked = std::move(questions_.front());
    questions_.pop_front();
    lock.unlock();
    if (const auto question = clocks::ParseQuestion(asked.text)) {
      clocks::ClockAnswer answer;
      answer.question = *question;
      answer.by = std::to_string(host_);
      answer.t1_ns = clock_.At(asked.at_ns);
      answer.t2_ns = clock_.NowNs();
      (void)transport_->Publish(topic, clocks::FormatAnswer(answer), 0, 0);
    }
    lock.lock();
  }
}

void Station::OnMessage(const Received& message) {
  if (ask_topic_.empty() || message.topic != ask_topic_) {
    if (events_.message) {
      events_.message(message);
    }
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (questions_.size() >= kMostQuestions) {
      return;
    }
    questions_.push_back({std::string(message.payload), message.at_ns});
  }
  changed_.notify_one();
}

void Station::OnAnswer(uint64_t cookie, int64_t at_ns,
                       std::string_view refusal) {
  if (events_.answer) {
    events_.answer(cookie, at_ns, refusal);
  }
}

void Station::OnConnection(bool up) {
  reconnects_ += up ? 1 : 0;
  if (events_.connection) {
    events_.connection(up);
  }
}

void Station::TellFacts() {
  const ConnectionFacts facts = transport_->facts();
  const auto tell = [this](const char* name, const std::string& value) {
    control_.Say(std::string(kSayFact) + name + " " + value);
  };
  const auto number = [](const auto& value) {
    return value ? std::to_string(*value) : std::string("--");
  };
  tell("library", facts.library);
  tell("tcp_nodelay",
       facts.tcp_nodelay ? (*facts.tcp_nodelay ? "yes" : "no") : "--");
  tell("send_buffer_bytes", number(facts.send_buffer_bytes));
  tell("window", std::to_string(facts.window));
  tell("receive_maximum", number(facts.receive_maximum));
}

void Station::Disconnect() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_all();
  if (answerer_.joinable()) {
    answerer_.join();
  }
  if (transport_ != nullptr) {
    transport_->Disconnect();
  }
}

}  // namespace edgewise::mqtt
