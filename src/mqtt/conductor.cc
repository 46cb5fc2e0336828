#include "mqtt/conductor.h"

#include <poll.h>

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
#include "mqtt/local_broker.h"
#include "mqtt/names.h"
#include "mqtt/process_use.h"
#include "mqtt/role_control.h"
#include "mqtt/role_process.h"
#include "mqtt/role_records.h"

namespace edgewise::mqtt {
namespace {

constexpr int kTickMs = 20;
constexpr int64_t kReadyNs = 40 * kNsPerSecond;
constexpr int64_t kThroughNs = 10 * kNsPerSecond;
constexpr int64_t kGraceNs = 3 * kNsPerSecond;

bool IsLocal(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

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
  // Starts a role and waits until it says that it is ready.
  Result<void> StartRole(Role role);
  RoleProcess* Find(Role role);
  // Takes what roles say, and notices those that ended.
  void Look(int timeout_ms);
  void TakeLine(RoleProcess& role, const std::string& line);
  // What made a role end that should not have; nullopt if none did.
  std::optional<Error> FailureOf(RoleProcess& role);
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
  std::vector<RoleProcess> roles_;
  size_t ready_ = 0;
  bool through_ = false;
  std::optional<int64_t> sent_;
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
  } else if (IsLocal(pipeline_.connection.host)) {
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

RoleProcess* Conductor::Find(Role role) {
  const auto found =
      std::find_if(roles_.begin(), roles_.end(),
                   [role](const RoleProcess& r) { return r.role() == role; });
  return found != roles_.end() ? &*found : nullptr;
}

void Conductor::TakeLine(RoleProcess& role, const std::string& line) {
  if (line == kSayReady) {
    ++ready_;
  } else if (line == kSayThrough) {
    through_ = true;
  } else if (line.starts_with(kSaySent) && role.role() == Role::kProduce) {
    sent_ = ParseInt(line.substr(kSaySent.size()));
  } else if (line.starts_with(kSayFact)) {
    const std::string rest = line.substr(kSayFact.size());
    const size_t blank = rest.find(' ');
    if (blank != std::string::npos) {
      conducted_.details[rest.substr(0, blank)] = rest.substr(blank + 1);
    }
  }
}

void Conductor::Look(int timeout_ms) {
  std::vector<pollfd> waits;
  for (const RoleProcess& role : roles_) {
    waits.push_back({role.fd(), POLLIN, 0});
  }
  (void)::poll(waits.data(), waits.size(), timeout_ms);
  // A pipe whose writer is gone is always ready.
  if (std::any_of(waits.begin(), waits.end(),
                  [](const pollfd& wait) { return wait.revents == POLLHUP; })) {
    (void)::poll(nullptr, 0, timeout_ms);
  }
  for (RoleProcess& role : roles_) {
    role.Read();
    while (const auto line = role.NextLine()) {
      TakeLine(role, *line);
    }
  }
}

std::optional<Error> Conductor::FailureOf(RoleProcess& role) {
  const auto status = role.Ended();
  if (!status) {
    return std::nullopt;
  }
  role.Read();
  if (role.failure()) {
    return *role.failure();
  }
  return Error{ErrorCode::kIo, "the " + std::string(RoleName(role.role())) +
                                   " ended too early (" + EndText(*status) +
                                   ")"};
}

Result<void> Conductor::StartRole(Role role) {
  PipelineSettings own = pipeline_;
  if (path_ && std::find(settings_.impaired.begin(), settings_.impaired.end(),
                         role) != settings_.impaired.end()) {
    own.connection.host = path_->host();
    own.connection.port = path_->port();
  }
  auto started = RoleProcess::Start(own, role);
  if (!started) {
    return started.error();
  }
  roles_.push_back(std::move(*started));
  const size_t wanted = roles_.size();
  const int64_t until_ns = MonotonicNs() + kReadyNs;
  while (ready_ < wanted) {
    Look(kTickMs);
    if (control_.stopped()) {
      return {};
    }
    for (RoleProcess& each : roles_) {
      if (auto failure = FailureOf(each)) {
        return *failure;
      }
    }
    if (MonotonicNs() >= until_ns) {
      return Error{ErrorCode::kIo,
                   "the " + std::string(RoleName(role)) +
                       " was not ready within " +
                       FormatDuration(static_cast<double>(kReadyNs))};
    }
  }
  return {};
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
  Find(Role::kProduce)->Say(kSayProbe);
  const int64_t until_ns =
      MonotonicNs() + kThroughNs + 20 * settings_.impairment.delay_ns;
  while (!through_ && !control_.stopped()) {
    Look(kTickMs);
    for (RoleProcess& each : roles_) {
      if (auto failure = FailureOf(each)) {
        return *failure;
      }
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
  Find(Role::kProduce)->Say(kSayGo);
  return {};
}

void Conductor::Measure() {
  RoleProcess& producer = *Find(Role::kProduce);
  RoleProcess& consumer = *Find(Role::kConsume);
  RoleProcess* const processor = Find(Role::kProcess);
  bool told = false;
  bool stopping = false;
  const auto fail = [&](RoleProcess& role) {
    const auto failure = FailureOf(role);
    if (failure && conducted_.failure.empty()) {
      conducted_.failure = failure->message;
    }
    return failure.has_value();
  };
  while (!consumer.Ended()) {
    Look(kTickMs);
    const bool crashed = processor != nullptr && fail(*processor);
    const bool produced = producer.Ended().has_value();
    if ((control_.stopped() || crashed) && !stopping) {
      stopping = true;
      producer.Terminate();
    }
    if (produced && !sent_) {
      (void)fail(producer);
      consumer.Terminate();
      sent_ = 0;
    }
    if (produced && producer.failure()) {
      (void)fail(producer);
    }
    if (sent_ && !told) {
      told = true;
      consumer.Say(std::string(kSaySent) + std::to_string(*sent_));
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
  Details& details = conducted_.details;
  const TransportSettings& connection = pipeline_.connection;
  details["qos"] = std::to_string(pipeline_.qos);
  details["payload_bytes"] = std::to_string(pipeline_.payload_bytes);
  details["format"] = pipeline_.format == Format::kJson ? "json" : "binary";
  details["topic"] = pipeline_.topic;
  details["rate_per_s"] = std::to_string(pipeline_.rate_per_s);
  details["arrivals"] =
      pipeline_.arrivals == stats::ArrivalKind::kPoisson ? "poisson" : "even";
  details["mqtt_version"] = connection.version == Version::k5 ? "5" : "3.1.1";
  details["tls"] = connection.tls ? "yes" : "no";
  details["keep_alive_s"] = std::to_string(connection.keep_alive_s);
  details["session_expiry_s"] = std::to_string(connection.session_expiry_s);
  details["work"] = pipeline_.direct            ? "no processor"
                    : pipeline_.command.empty() ? "none"
                                                : ShellQuote(pipeline_.command);
  if (!pipeline_.direct) {
    details["queue_length"] = std::to_string(pipeline_.queue_length);
  }
  if (path_) {
    const ProxyCounts counts = path_->Counts();
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
  for (RoleProcess& role : roles_) {
    role.Terminate();
  }
  for (RoleProcess& role : roles_) {
    (void)role.Stop(kGraceNs);
  }
  Describe();
  records_.Finish();
  return std::move(conducted_);
}

}  // namespace

Result<Conducted> Conduct(const ConductSettings& settings) {
  return std::make_unique<Conductor>(settings)->Run();
}

}  // namespace edgewise::mqtt
