#include "mqtt/conductor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "impair/path.h"
#include "mqtt/broker_version.h"
#include "mqtt/conditions.h"
#include "mqtt/local_broker.h"
#include "mqtt/names.h"
#include "mqtt/process_use.h"
#include "mqtt/role_control.h"
#include "mqtt/role_crew.h"
#include "mqtt/role_records.h"

namespace edgewise::mqtt {
namespace {

constexpr int64_t kThroughNs = 10 * kNsPerSecond;

class Conductor {
 public:
  explicit Conductor(const ConductSettings& settings)
      : settings_(settings),
        pipeline_(settings.pipeline),
        control_(-1),
        records_("conductor") {}

  Result<Conducted> Run();

 private:
  Result<void> OpenBroker();
  Result<void> OpenPath();
  Result<void> StartRoles();
  Result<void> StartRole(Role role);
  Result<void> LetThrough();
  // From the first message to the last.
  void Measure();
  void Describe();

  const ConductSettings& settings_;
  PipelineSettings pipeline_;
  RoleControl control_;
  RoleRecords records_;
  std::optional<LocalBroker> broker_;
  std::optional<ImpairedPath> path_;
  RoleCrew crew_{control_};
  Conducted conducted_;
};

Result<void> Conductor::OpenBroker() {
  if (settings_.own_broker) {
    auto broker = LocalBroker::Start(ScratchFolder());
    if (!broker) {
      return broker.error();
    }
    broker_.emplace(std::move(*broker));
    pipeline_.connection.host = "127.0.0.1";
    pipeline_.connection.port = broker_->port();
    pipeline_.connection.tls = false;
  }
  const auto version = AskBroker(pipeline_, control_, records_);
  if (!version) {
    return version.error();
  }
  Details& details = conducted_.details;
  details["broker"] = pipeline_.connection.host + ":" +
                      std::to_string(pipeline_.connection.port) +
                      (settings_.own_broker ? " (its own)" : "");
  details["broker_version"] = version->empty() ? "--" : *version;
  std::optional<pid_t> pid;
  if (broker_) {
    pid = broker_->pid();
  } else if (IsLocalHost(pipeline_.connection.host)) {
    pid = ListenerOn(pipeline_.connection.port);
  }
  if (pid) {
    records_.Watch(kBroker, *pid);
  }
  return {};
}

Result<void> Conductor::OpenPath() {
  conducted_.details["impairment"] = FormatImpairment(settings_.impairment);
  if (!settings_.impairment.any()) {
    return {};
  }
  PathSettings path;
  path.proxy.upstream_host = pipeline_.connection.host;
  path.proxy.upstream_port = pipeline_.connection.port;
  path.proxy.impairment = settings_.impairment;
  path.proxy.seed = pipeline_.seed;
  auto opened = ImpairedPath::Open(path);
  if (!opened) {
    return opened.error();
  }
  path_.emplace(std::move(*opened));
  conducted_.details["impaired_by"] =
      std::string(ImpairMeansName(path_->means()));
  conducted_.details["impaired_how"] = path_->description();
  return {};
}

Result<void> Conductor::StartRole(Role role) {
  PipelineSettings own = pipeline_;
  if (path_ && std::find(settings_.impaired.begin(), settings_.impaired.end(),
                         role) != settings_.impaired.end()) {
    own.connection.host = path_->host();
    own.connection.port = path_->port();
  }
  return crew_.Start(own, role);
}

Result<void> Conductor::StartRoles() {
  for (const Role role : {Role::kConsume, Role::kProcess, Role::kProduce}) {
    if (role == Role::kProcess && pipeline_.direct) {
      continue;
    }
    if (const auto started = StartRole(role); !started) {
      return started;
    }
  }
  return {};
}

// One message must make it through all before anything is measured: that
// subscriptions hold, that the payload is not too large for the broker.
Result<void> Conductor::LetThrough() {
  crew_.Find(Role::kProduce)->Say(kSayProbe);
  const int64_t until_ns =
      MonotonicNs() + kThroughNs + 20 * settings_.impairment.delay_ns;
  while (!crew_.through() && !control_.stopped()) {
    crew_.Look();
    if (auto failure = crew_.AnyFailure()) {
      return *failure;
    }
    if (MonotonicNs() >= until_ns) {
      return Error{
          ErrorCode::kInvalid,
          "no message of " + std::to_string(pipeline_.payload_bytes) +
              " bytes on " + pipeline_.topic +
              " gets through the broker: check its message_size_limit and "
              "access rules, or make --payload smaller"};
    }
  }
  crew_.Find(Role::kProduce)->Say(kSayGo);
  return {};
}

void Conductor::Measure() {
  RoleProcess& producer = *crew_.Find(Role::kProduce);
  RoleProcess& consumer = *crew_.Find(Role::kConsume);
  RoleProcess* const processor = crew_.Find(Role::kProcess);
  bool told = false;
  bool stopping = false;
  const auto fail = [&](RoleProcess& role) {
    const auto failure = RoleCrew::FailureOf(role);
    if (failure && conducted_.failure.empty()) {
      conducted_.failure = failure->message;
    }
    return failure.has_value();
  };
  while (!consumer.Ended()) {
    crew_.Look();
    const bool crashed = processor != nullptr && fail(*processor);
    const bool produced = producer.Ended().has_value();
    if (produced) {
      crew_.Look();  // its last words
    }
    if ((control_.stopped() || crashed) && !stopping) {
      stopping = true;
      producer.Terminate();
    }
    if (produced && !crew_.sent()) {
      (void)fail(producer);
      consumer.Terminate();
    }
    if (produced && producer.failure()) {
      (void)fail(producer);
    }
    if (crew_.sent() && !told) {
      told = true;
      consumer.Say(std::string(kSaySent) + std::to_string(*crew_.sent()));
    }
    if (control_.stopped() && produced) {
      consumer.Terminate();
    }
  }
  consumer.Read();
  if (consumer.failure() || *consumer.Ended() != 0) {
    (void)fail(consumer);
  }
}

void Conductor::Describe() {
  conducted_.details.merge(ConditionsOf(pipeline_));
  conducted_.details.insert(crew_.facts().begin(), crew_.facts().end());
  if (path_) {
    const ProxyCounts counts = path_->Counts();
    Details& details = conducted_.details;
    details["impaired_lost_segments"] = std::to_string(counts.lost_segments);
    details["impaired_segments"] = std::to_string(counts.segments);
    details["impaired_disconnects"] = std::to_string(counts.disconnects);
  }
}

Result<Conducted> Conductor::Run() {
  if (const auto opened = OpenBroker(); !opened) {
    return opened.error();
  }
  records_.Start();
  if (const auto opened = OpenPath(); !opened) {
    return opened.error();
  }
  if (const auto started = StartRoles(); !started) {
    return started.error();
  }
  if (!control_.stopped()) {
    if (const auto through = LetThrough(); !through) {
      return through.error();
    }
    Measure();
  }
  crew_.Stop();
  Describe();
  records_.Finish();
  return std::move(conducted_);
}

}  // namespace

Result<Conducted> Conduct(const ConductSettings& settings) {
  return std::make_unique<Conductor>(settings)->Run();
}

}  // namespace edgewise::mqtt
