#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "sessions/settings.h"
#include "tenants/deployment.h"

namespace edgewise::tenants {
namespace {

namespace fs = std::filesystem;

constexpr int kMostReplicas = 1000;

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

bool IsProgram(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) &&
         ::access(path.c_str(), X_OK) == 0;
}

// The tenant program starts it, with the tenant's environment.
Result<void> CheckCommand(const Tenant& tenant) {
  if (tenant.command.empty()) {
    return {};
  }
  SessionSettings settings;
  settings.command = tenant.command;
  settings.conditions.env = tenant.env;
  const Result<void> checked = CheckSettings(settings);
  return checked ? checked
                 : Invalid(tenant.name + ": " + checked.error().message);
}

Result<void> CheckShare(const Share& share, const Server& server) {
  const std::string& name = share.tenant.name;
  if (!IsPlainName(name)) {
    return Invalid("\"" + name +
                   "\" is no name for a tenant: use letters, digits, \".\", "
                   "\"-\" and \"_\"");
  }
  if (!(share.rate_per_s >= kLeastRatePerS) ||
      share.rate_per_s > kMostRatePerS) {
    return Invalid(fmt::format(
        "{}: a rate of {} requests a second is not from {:g} to {:g}", name,
        share.rate_per_s, kLeastRatePerS, kMostRatePerS));
  }
  if (share.replicas < 1 || share.replicas > kMostReplicas) {
    return Invalid(fmt::format("{}: {} replicas are not from 1 to {}", name,
                               share.replicas, kMostReplicas));
  }
  if (share.quota_cores &&
      (!(*share.quota_cores > 0) || *share.quota_cores > 1e4)) {
    return Invalid(fmt::format("{}: a quota of {} cores is not above 0", name,
                               *share.quota_cores));
  }
  if (Result<void> command = CheckCommand(share.tenant); !command) {
    return command;
  }
  if (server.memory_bytes && share.tenant.memory_bytes > *server.memory_bytes) {
    return Invalid(fmt::format(
        "{} needs {} of memory, but server {} has {}: leave it out, or give "
        "the server more",
        name, FormatBytes(static_cast<double>(share.tenant.memory_bytes)),
        server.name, FormatBytes(static_cast<double>(*server.memory_bytes))));
  }
  return {};
}

Result<void> CheckOne(const Placed& placed) {
  const Server& server = placed.server;
  const Deployment& deployment = placed.deployment;
  if (!IsPlainName(server.name)) {
    return Invalid("\"" + server.name +
                   "\" is no name for a server: use letters, digits, \".\", "
                   "\"-\" and \"_\"");
  }
  if (server.cpus.empty()) {
    return Invalid("server " + server.name + " has no cores");
  }
  if (deployment.shares.empty()) {
    return Invalid("deployment " + deployment.id + " has no tenants");
  }
  std::set<std::string> names;
  int64_t bytes = 0;
  for (const Share& share : deployment.shares) {
    if (Result<void> checked = CheckShare(share, server); !checked) {
      return checked;
    }
    if (!names.insert(share.tenant.name).second) {
      return Invalid(share.tenant.name + " is twice in deployment " +
                     deployment.id + ": add its replicas up");
    }
    bytes += share.tenant.memory_bytes * share.replicas;
  }
  if (server.memory_bytes && bytes > *server.memory_bytes) {
    return Invalid(fmt::format(
        "deployment {} needs {} of memory, but server {} has {}", deployment.id,
        FormatBytes(static_cast<double>(bytes)), server.name,
        FormatBytes(static_cast<double>(*server.memory_bytes))));
  }
  return {};
}

}  // namespace

Result<void> CheckDeployments(const std::vector<Placed>& placed,
                              const DeployConditions& conditions) {
  if (placed.empty()) {
    return Invalid("there is nothing to deploy");
  }
  const std::vector<int> usable = UsableCpus();
  std::set<int> taken;
  for (const Placed& each : placed) {
    if (Result<void> checked = CheckOne(each); !checked) {
      return checked;
    }
    for (const int cpu : each.server.cpus) {
      if (!usable.empty() &&
          std::find(usable.begin(), usable.end(), cpu) == usable.end()) {
        return Invalid(fmt::format(
            "server {}: core {} is not there or may not be used; usable: {}",
            each.server.name, cpu, FormatCpuList(usable)));
      }
      if (!taken.insert(cpu).second) {
        return Invalid(
            fmt::format("server {}: core {} belongs to another server already",
                        each.server.name, cpu));
      }
    }
  }
  if (!IsProgram(conditions.tenant_program)) {
    return Error{ErrorCode::kNotFound,
                 "the tenant program \"" + conditions.tenant_program +
                     "\" is not there: script/build makes it"};
  }
  return {};
}

Result<std::string> FindTenantProgram(const std::string& edgewise_program) {
  const fs::path folder = fs::path(edgewise_program).parent_path();
  std::vector<fs::path> candidates{folder / "apps" / "tenant",
                                   folder / "edgewise-tenant"};
  if (const char* named = std::getenv("EDGEWISE_TENANT")) {
    candidates.insert(candidates.begin(), named);
  }
  const char* path = std::getenv("PATH");
  for (const std::string_view part :
       Split(path == nullptr ? std::string_view() : path, ':')) {
    candidates.push_back(fs::path(part) / "edgewise-tenant");
  }
  for (const fs::path& candidate : candidates) {
    if (IsProgram(candidate)) {
      return candidate.string();
    }
  }
  return Error{ErrorCode::kUnsupported,
               "the tenant program is not there: script/build makes "
               "apps/tenant beside edgewise, or set $EDGEWISE_TENANT to it"};
}

}  // namespace edgewise::tenants
