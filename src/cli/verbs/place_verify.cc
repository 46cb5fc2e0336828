#include "cli/verbs/place_verify.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cli/option_values.h"
#include "cli/progress.h"
#include "orchestration/simulate.h"
#include "sessions/signal_guard.h"
#include "tenants/deployment.h"

namespace edgewise::cli {
namespace {

namespace orc = orchestration;

constexpr double kNsPerS = 1e9;
constexpr int64_t kWarmupNs = 2'000'000'000;
constexpr double kLeastSeconds = 30;
constexpr double kMostSeconds = 300;

Error NoTenant(const orc::Request& request) {
  return {ErrorCode::kInvalid,
          "--verify: there is no tenant " + request.app +
              " to deploy for the request " + request.name +
              ": name a tenant.yaml that has it with --tenants"};
}

// Why the placements cannot be deployed here; empty: they can.
std::string WhyNotHere(const orc::Instance& instance,
                       const std::vector<NamedPlacement>& placements) {
  for (const NamedPlacement& placement : placements) {
    for (const auto& server : placement.assignment) {
      if (server && instance.servers[*server].cpus.empty()) {
        return "the server " + instance.servers[*server].name +
               " has no cpus of this machine in the list of servers";
      }
    }
  }
  return "";
}

// The name under which a request is deployed: names of requests may be any.
std::string ShareName(size_t request) {
  return "request" + std::to_string(request);
}

Result<std::vector<tenants::Placed>> DeploymentsOf(
    const orc::Instance& instance, const orc::Assignment& assignment,
    const std::map<std::string, tenants::Tenant>& known) {
  std::vector<tenants::Placed> placed;
  std::map<size_t, size_t> at;  // by server
  for (size_t i = 0; i < assignment.size(); ++i) {
    if (!assignment[i]) {
      continue;
    }
    const orc::Request& request = instance.requests[i];
    const auto tenant = known.find(request.app);
    if (tenant == known.end()) {
      return NoTenant(request);
    }
    const auto [slot, added] = at.emplace(*assignment[i], placed.size());
    if (added) {
      const orc::Server& server = instance.servers[*assignment[i]];
      tenants::Placed one;
      one.server.name = server.name;
      one.server.cpus = server.cpus;
      one.server.memory_bytes = server.memory_bytes;
      one.deployment.id = "server" + std::to_string(*assignment[i]);
      placed.push_back(std::move(one));
    }
    tenants::Share share;
    share.tenant = tenant->second;
    share.tenant.name = ShareName(i);
    share.replicas = request.replicas;
    share.rate_per_s = request.rate_per_s;
    placed[slot->second].deployment.shares.push_back(std::move(share));
  }
  return placed;
}

// What was seen of one request: rows are by arrival.
orc::PromiseSeen SeenOf(const orc::Request& request, const std::string& name,
                        const tenants::DeploymentMeasured& measured,
                        int64_t dropped, double seconds) {
  const double delay_s = static_cast<double>(request.sla.delay_ns) / kNsPerS;
  std::vector<double> response_ns;
  std::vector<int> queue_lengths;
  for (const tenants::RequestRow& row : measured.requests) {
    if (row.service == name && row.arrival_s + delay_s <= seconds) {
      response_ns.push_back(row.departure_s
                                ? (*row.departure_s - row.arrival_s) * kNsPerS
                                : std::numeric_limits<double>::infinity());
      queue_lengths.push_back(row.queue_length);
    }
  }
  return orc::SeePromise(request.sla,
                         orc::WithRefused(response_ns, queue_lengths, dropped));
}

Result<std::vector<orc::PromiseSeen>> Measure(
    const orc::Instance& instance, const orc::Assignment& assignment,
    const std::map<std::string, tenants::Tenant>& known,
    const tenants::DeployConditions& conditions, SignalGuard& signals) {
  const auto placed = DeploymentsOf(instance, assignment, known);
  if (!placed) {
    return placed.error();
  }
  std::vector<orc::PromiseSeen> seen(assignment.size());
  if (placed->empty()) {
    return seen;
  }
  if (const auto checked = tenants::CheckDeployments(*placed, conditions);
      !checked) {
    return checked.error();
  }
  const auto outcome = tenants::Deploy(*placed, conditions, signals);
  if (!outcome) {
    return outcome.error();
  }
  if (outcome->cancelled) {
    return Error{ErrorCode::kBusy, "cancelled"};
  }
  const double seconds = static_cast<double>(conditions.measure_ns) / kNsPerS;
  for (size_t d = 0; d < placed->size(); ++d) {
    const tenants::DeploymentMeasured& measured = outcome->measured[d];
    if (!measured.failure.empty()) {
      return Error{ErrorCode::kIo, "--verify: on " + (*placed)[d].server.name +
                                       ": " + measured.failure};
    }
    for (size_t k = 0; k < measured.rows.size(); ++k) {
      const std::string& name = (*placed)[d].deployment.shares[k].tenant.name;
      const size_t request =
          std::stoul(name.substr(std::string_view("request").size()));
      seen[request] = SeenOf(instance.requests[request], name, measured,
                             measured.rows[k].dropped, seconds);
    }
  }
  return seen;
}

Result<tenants::DeployConditions> ConditionsFor(
    int64_t measure_ns, uint64_t seed, const std::filesystem::path& home) {
  std::error_code error;
  tenants::DeployConditions conditions;
  conditions.home = home;
  conditions.group = "place-verify";
  conditions.edgewise_program =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  auto program = tenants::FindTenantProgram(conditions.edgewise_program);
  if (!program) {
    return program.error();
  }
  conditions.tenant_program = std::move(*program);
  conditions.warmup_ns = kWarmupNs;
  conditions.measure_ns = measure_ns;
  conditions.seed = seed;
  return conditions;
}

Result<std::map<std::string, tenants::Tenant>> KnownTenants(
    const VerifyOptions& options) {
  const auto all = tenants::TenantsFrom(options.tenants);
  if (!all) {
    return all.error();
  }
  std::map<std::string, tenants::Tenant> known;
  for (const tenants::Tenant& tenant : *all) {
    known.emplace(tenant.name, tenant);
  }
  return known;
}

// As given, else long enough for a verdict on every promise if requests in
// queues are worth half as many independent ones.
Result<double> SecondsFor(const VerifyOptions& options,
                          const orc::Instance& instance,
                          const std::vector<NamedPlacement>& placements) {
  if (options.time) {
    const auto ns = GivenDuration("--verify-time", *options.time);
    return ns ? Result<double>(static_cast<double>(*ns) / kNsPerS)
              : Result<double>(ns.error());
  }
  double seconds = kLeastSeconds;
  for (const NamedPlacement& placement : placements) {
    for (size_t i = 0; i < placement.assignment.size(); ++i) {
      if (placement.assignment[i]) {
        const orc::Request& request = instance.requests[i];
        seconds = std::max(
            seconds, orc::SecondsForRequests(
                         request, 2 * orc::RequestsForVerdict(request.sla)));
      }
    }
  }
  return std::min(std::ceil(seconds), kMostSeconds);
}

}  // namespace

void AddVerifyOptions(CLI::App& verb, VerifyOptions& options) {
  verb.add_flag("--verify", options.verify,
                "Deploy the placement on this machine's cpus and measure every "
                "promise; replay it in the simulator where servers have none");
  verb.add_option("--verify-time", options.time,
                  "How long to measure or replay each placement (default: as "
                  "the slowest promise needs, 30s to 5m)")
      ->type_name("TIME");
  verb.add_option("--tenants", options.tenants,
                  "What is deployed: nine (default), or tenant.yaml files")
      ->type_name("WHICH")
      ->delimiter(',');
}

Result<void> CheckVerify(const VerifyOptions& options,
                         const orc::Instance& instance,
                         const std::filesystem::path& home) {
  if (const auto seconds = SecondsFor(options, instance, {}); !seconds) {
    return seconds.error();
  }
  if (!options.verify ||
      std::any_of(instance.servers.begin(), instance.servers.end(),
                  [](const orc::Server& s) { return s.cpus.empty(); })) {
    return {};
  }
  const auto known = KnownTenants(options);
  if (!known) {
    return known.error();
  }
  for (const orc::Request& request : instance.requests) {
    if (!known->contains(request.app)) {
      return NoTenant(request);
    }
  }
  const auto conditions = ConditionsFor(0, 0, home);
  return conditions ? Result<void>() : Result<void>(conditions.error());
}

Result<Verification> Verify(const VerifyOptions& options,
                            const PlaceQuestion& question,
                            const orc::Problem& problem,
                            const std::vector<NamedPlacement>& placements,
                            uint64_t seed, const std::filesystem::path& home) {
  const auto seconds = SecondsFor(options, question.instance, placements);
  if (!seconds) {
    return seconds.error();
  }
  Verification verification{problem, *seconds, "", {}};
  verification.only_simulated = WhyNotHere(question.instance, placements);
  Result<std::map<std::string, tenants::Tenant>> known =
      std::map<std::string, tenants::Tenant>();
  Result<tenants::DeployConditions> conditions = tenants::DeployConditions();
  std::optional<SignalGuard> signals;  // also between placements
  if (verification.only_simulated.empty()) {
    known = KnownTenants(options);
    if (!known) {
      return known.error();
    }
    conditions = ConditionsFor(std::llround(*seconds * kNsPerS), seed, home);
    if (!conditions) {
      return conditions.error();
    }
    signals.emplace();
  }
  ProgressLine progress(true);
  for (const NamedPlacement& placement : placements) {
    progress.Show("verifying the placement by " + placement.placed_by);
    VerifiedPlacement verified{
        placement.placed_by, placement.assignment, {}, {}};
    orc::SimulateSettings simulate;
    simulate.seconds = verification.seconds;
    simulate.warmup_s = static_cast<double>(kWarmupNs) / kNsPerS;
    simulate.seed = seed;
    verified.simulated = orc::Simulate(problem, question.pressures,
                                       placement.assignment, simulate);
    if (verification.only_simulated.empty()) {
      auto measured = Measure(question.instance, placement.assignment, *known,
                              *conditions, *signals);
      if (!measured) {
        return measured.error();
      }
      verified.measured = std::move(*measured);
    }
    verification.placements.push_back(std::move(verified));
  }
  return verification;
}

}  // namespace edgewise::cli
