#include "server/scheduler.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "orchestration/explain.h"
#include "orchestration/promise_text.h"

namespace edgewise {
namespace {

namespace orc = orchestration;

constexpr int kMostScore = 10;
constexpr double kMostRate = 1e6;

Error Wrong(const std::string& pod, const std::string& key,
            const std::string& what) {
  return {ErrorCode::kInvalid,
          "pod " + pod + ": the annotation edgewise/" + key + " " + what};
}

// 10 leaves all of every tolerance, 0 none.
int ScoreOf(const orc::ServerLoad& server, size_t item) {
  orc::ServerLoad with = server;
  with.Add(item);
  const double left = std::clamp(1 - with.Strain(), 0.0, 1.0);
  return static_cast<int>(std::lround(kMostScore * left));
}

}  // namespace

Result<std::optional<orc::Request>> RequestOfPod(
    const std::string& pod, const std::map<std::string, std::string>& words,
    char separator) {
  const auto find = [&](const char* key) -> std::optional<std::string> {
    const auto found = words.find(std::string("edgewise") + separator + key);
    return found == words.end() ? std::nullopt : std::optional(found->second);
  };
  const auto app = find("app");
  if (!app) {
    return std::optional<orc::Request>();
  }
  orc::Request request;
  request.name = pod;
  request.app = *app;
  const auto rate = ParseDouble(find("rate").value_or(""));
  if (!rate || !(*rate > 0 && *rate <= kMostRate)) {
    return Wrong(pod, "rate",
                 "must be its requests a second, a number above 0 such as 5");
  }
  request.rate_per_s = *rate;
  const auto sla = orc::ParsePromise(find("promise").value_or(""));
  if (!sla) {
    return Wrong(pod, "promise", "must be one such as \"p95 within 80 ms\"");
  }
  request.sla = *sla;
  if (const auto text = find("pay")) {
    const auto pay = ParseDouble(*text);
    if (!pay || !(*pay >= 0 && *pay <= orc::kMostPay)) {
      return Wrong(pod, "pay", "must be a number from 0 to 1,000,000");
    }
    request.pay_micros = std::llround(*pay * orc::kMicrosPerUnit);
  }
  if (const auto text = find("memory")) {
    const auto bytes = ParseBytes(*text);
    if (!bytes) {
      return Wrong(pod, "memory", "must be a size such as 640Mi");
    }
    request.memory_bytes = *bytes;
  }
  return std::optional(std::move(request));
}

Scheduler::Scheduler(SchedulerSettings settings,
                     std::unique_ptr<cluster::ClusterWatch> watch,
                     Placed placed)
    : settings_(std::move(settings)),
      predictor_(settings_.pressures),
      watch_(std::move(watch)),
      placed_(std::move(placed)) {}

std::optional<std::string> Scheduler::WhyNotReady() const {
  const auto running = ReadRunning();
  return running ? std::nullopt : std::optional(running.error().message);
}

Result<Scheduler::Running> Scheduler::ReadRunning() const {
  Running running;
  if (!watch_) {
    auto placed = placed_();
    if (!placed) {
      return placed.error();
    }
    running.requests = std::move(*placed);
    return running;
  }
  const cluster::ClusterNow now = watch_->Now();
  if (!now.state || now.age_s > settings_.state_limit_s) {
    return Error{
        ErrorCode::kUnsupported,
        "what runs in the cluster is not known: " +
            (now.problem.empty() ? "it was not read in time" : now.problem)};
  }
  const auto& apps = predictor_.AppNames();
  for (const cluster::PodState& pod : now.state->pods) {
    auto request = RequestOfPod(pod.name, pod.annotations, '_');
    if (!request) {
      running.unreadable.emplace(pod.node, request.error().message);
    } else if (*request && std::find(apps.begin(), apps.end(),
                                     (*request)->app) == apps.end()) {
      running.unreadable.emplace(pod.node, "pod " + pod.name +
                                               " runs there and nothing is "
                                               "known of its app " +
                                               (*request)->app);
    } else if (*request) {
      running.requests.push_back({std::move(**request), pod.node});
    }
  }
  return running;
}

// The pod that is asked about stands nowhere yet.
void Scheduler::AddReserved(const std::string& pod, Running& running) {
  std::erase_if(running.requests, [&pod](const RunningRequest& r) {
    return r.request.name == pod;
  });
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  std::erase_if(reserved_, [&](const auto& entry) {
    return entry.second.until < now || entry.first == pod ||
           std::any_of(running.requests.begin(), running.requests.end(),
                       [&entry](const RunningRequest& r) {
                         return r.request.name == entry.first;
                       });
  });
  for (const auto& [name, reservation] : reserved_) {
    running.requests.push_back(reservation.running);
  }
}

void Scheduler::Reserve(const ExtenderArgs& args, const orc::Request& request,
                        const std::vector<NodeVerdict>& verdicts) {
  std::optional<size_t> best;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].fits &&
        (!best || verdicts[i].score > verdicts[*best].score)) {
      best = i;
    }
  }
  if (best && watch_) {
    const std::lock_guard lock(mutex_);
    reserved_[args.pod] = {{request, args.nodes[*best]},
                           std::chrono::steady_clock::now() +
                               std::chrono::milliseconds(
                                   std::llround(settings_.reserved_s * 1e3))};
  }
}

Result<orc::Problem> Scheduler::ProblemOf(const orc::Instance& instance) {
  const std::lock_guard lock(mutex_);
  return orc::Problem::Make(instance, predictor_, settings_.confidence, memo_);
}

Result<std::vector<NodeVerdict>> Scheduler::Judge(const ExtenderArgs& args,
                                                  bool chosen) {
  const auto asked = RequestOfPod(args.pod, args.annotations);
  if (!asked) {
    return asked.error();
  }
  std::vector<NodeVerdict> verdicts(args.nodes.size());
  if (!*asked) {
    for (NodeVerdict& verdict : verdicts) {
      verdict.fits = true;
    }
    return verdicts;
  }
  auto running = ReadRunning();
  if (!running) {
    return running.error();
  }
  AddReserved(args.pod, *running);
  orc::Instance instance;
  instance.servers = settings_.servers;
  std::map<std::string, size_t> server_of;
  for (size_t s = 0; s < instance.servers.size(); ++s) {
    server_of[instance.servers[s].name] = s;
  }
  orc::Assignment standing;
  for (RunningRequest& each : running->requests) {
    if (const auto on = server_of.find(each.node); on != server_of.end()) {
      instance.requests.push_back(std::move(each.request));
      standing.emplace_back(on->second);
    }
  }
  instance.requests.push_back(**asked);
  standing.emplace_back(std::nullopt);
  const auto problem = ProblemOf(instance);
  if (!problem) {
    return problem.error();
  }
  const size_t item = instance.requests.size() - 1;
  const auto servers = orc::ServersOf(*problem, standing);
  for (size_t i = 0; i < args.nodes.size(); ++i) {
    NodeVerdict& verdict = verdicts[i];
    const auto on = server_of.find(args.nodes[i]);
    if (on == server_of.end()) {
      verdict.hopeless = true;
      verdict.why_not = "nothing is known of it: add it to servers.yaml";
    } else if (const auto at = running->unreadable.find(args.nodes[i]);
               at != running->unreadable.end()) {
      verdict.why_not = at->second;
    } else {
      const orc::ServerLoad& server = servers[on->second];
      verdict.why_not = orc::WhyNotOn(*problem, server, item);
      verdict.fits = verdict.why_not.empty();
      verdict.hopeless = !problem->FitsAlone(server.kind(), item);
      verdict.score = verdict.fits ? ScoreOf(server, item) : 0;
    }
  }
  if (chosen) {
    Reserve(args, **asked, verdicts);
  }
  return verdicts;
}

}  // namespace edgewise
