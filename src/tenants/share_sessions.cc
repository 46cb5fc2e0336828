#include "tenants/share_sessions.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <utility>

#include "base/tcp.h"
#include "base/text.h"
#include "experiments/actor.h"

namespace edgewise::tenants {
namespace {

SessionSettings Common(const Placed& placed, const std::string& label,
                       const DeployConditions& conditions) {
  SessionSettings settings;
  settings.conditions.cpus = placed.server.cpus;
  settings.conditions.memory_limit_bytes = placed.server.memory_bytes;
  // Enough for the use of CPU within a window of seconds.
  settings.conditions.sample_hz = 4;
  settings.label = label;
  settings.group = conditions.group;
  settings.group_role = placed.deployment.id + ": " + label;
  settings.experiment = "tenants";
  settings.details["server"] = placed.server.name;
  settings.details["deployment"] = DeploymentText(placed.deployment);
  settings.events = {};
  settings.read_pss = false;
  settings.pass_output = false;
  settings.grace_ns = 2 * kNsPerSecond;
  settings.linger_ns = kNsPerSecond;
  return settings;
}

Result<int> FreePort() {
  const auto addresses = FindAddresses("127.0.0.1", 0, true);
  if (!addresses) {
    return addresses.error();
  }
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (const Result<void> bound =
          ListenOn(socket.get(), addresses->front(), 1, "a free port");
      !bound) {
    return bound.error();
  }
  return BoundPort(socket.get());
}

std::string WithPort(std::string text, int port) {
  constexpr std::string_view kMark = "{port}";
  for (size_t at; (at = text.find(kMark)) != std::string::npos;) {
    text.replace(at, kMark.size(), std::to_string(port));
  }
  return text;
}

SessionSettings ContainerSession(const Share& share, const SharePlace& place,
                                 int port, const DeployConditions& conditions) {
  const Tenant& tenant = share.tenant;
  SessionSettings settings = Common(*place.placed, tenant.name, conditions);
  // A quota is of all replicas, and these are each on their own.
  if (share.quota_cores) {
    settings.conditions.cpu_quota_cores = *share.quota_cores / share.replicas;
  }
  settings.conditions.env = tenant.env;
  settings.conditions.env["PORT"] = std::to_string(port);
  ContainerPlan plan;
  plan.engine = *place.engine;
  plan.spec.image = tenant.image;
  for (const std::string& word : tenant.args) {
    plan.spec.args.push_back(WithPort(word, port));
  }
  plan.spec.engine_args = tenant.engine_args;
  // Who asks is outside.
  plan.spec.network = "host";
  settings.command = {tenant.image};
  settings.command.insert(settings.command.end(), plan.spec.args.begin(),
                          plan.spec.args.end());
  settings.container = std::move(plan);
  return settings;
}

// How the tenant program is told what answers.
void AddAnswering(const Share& share, std::vector<std::string>* words) {
  const Tenant& tenant = share.tenant;
  switch (tenant.asking) {
    case Asking::kService:
      words->insert(words->end(), {"--service", tenant.service, "--scale",
                                   std::to_string(tenant.scale)});
      return;
    case Asking::kLines:
      words->insert(words->end(), {"--lines", tenant.line, "--"});
      break;
    case Asking::kHttp:
      words->insert(words->end(), {"--http", tenant.url, "--"});
      break;
  }
  words->insert(words->end(), tenant.command.begin(), tenant.command.end());
}

}  // namespace

std::string DeploymentText(const Deployment& deployment) {
  std::vector<std::string> parts;
  for (const Share& share : deployment.shares) {
    parts.push_back(fmt::format("{} x{} at {:.3g}/s", share.tenant.name,
                                share.replicas, share.rate_per_s));
  }
  return Join(parts, ", ") +
         (deployment.stress ? " beside " + FormatStressSpec(*deployment.stress)
                            : "");
}

Result<ShareSessions> SessionsOf(const Share& share, const SharePlace& place,
                                 const DeployConditions& conditions) {
  const Tenant& tenant = share.tenant;
  ShareSessions sessions;
  sessions.tenant = Common(*place.placed, tenant.name, conditions);
  std::vector<std::string>& words = sessions.tenant.command;
  words = {conditions.tenant_program,
           "--name",
           tenant.name,
           "--rate",
           fmt::format("{}", share.rate_per_s),
           "--replicas",
           std::to_string(share.replicas),
           "--queue",
           std::to_string(tenant.queue),
           "--seed",
           std::to_string(place.seed),
           "--requests",
           place.log.string(),
           "--epoch",
           std::to_string(place.epoch_ns)};
  if (tenant.image.empty()) {
    sessions.tenant.conditions.cpu_quota_cores = share.quota_cores;
    sessions.tenant.conditions.env = tenant.env;
    AddAnswering(share, &words);
    return sessions;
  }
  for (int replica = 0; replica < share.replicas; ++replica) {
    const auto port = FreePort();
    if (!port) {
      return port.error();
    }
    sessions.containers.push_back(
        ContainerSession(share, place, *port, conditions));
    words.insert(words.end(), {"--http", WithPort(tenant.url, *port)});
  }
  return sessions;
}

Result<std::optional<Engine>> EngineFor(const std::vector<Placed>& placed) {
  for (const Placed& each : placed) {
    for (const Share& share : each.deployment.shares) {
      if (share.tenant.image.empty()) {
        continue;
      }
      auto engine = FindEngine(EngineChoice::kAuto);
      return engine ? Result<std::optional<Engine>>(std::move(*engine))
                    : engine.error();
    }
  }
  return std::optional<Engine>();
}

SessionSettings StressSession(const Placed& placed, const StressSpec& spec,
                              const DeployConditions& conditions) {
  SessionSettings settings = Common(placed, FormatStressSpec(spec), conditions);
  settings.command = StressActor(conditions.edgewise_program, spec).command;
  return settings;
}

}  // namespace edgewise::tenants
