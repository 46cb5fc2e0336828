#include "cli/verbs/contend_tenants.h"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "cli/option_values.h"
#include "cli/progress.h"
#include "contention/chooser.h"
#include "controls/guardian.h"
#include "probes/machine.h"
#include "report/campaign_text.h"
#include "sessions/settings.h"
#include "store/store.h"
#include "tenants/campaign.h"

namespace edgewise::cli {
namespace {

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

Result<tenants::Kind> KindOf(ContendMode mode) {
  if (const auto kind = tenants::ParseKind(ContendModeName(mode))) {
    return *kind;
  }
  return Invalid(
      "check is for --app: edgewise evaluate --contention DIR checks "
      "predictions of tenants");
}

Result<void> RefuseAppOptions(const ContendOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--app", !options.apps.empty()},
      {"--beside", !options.beside.empty()},
      {"--span", !options.spans.empty()},
      {"--cpus", !options.cpus.empty()},
      {"--settle", !options.settle.empty()},
      {"--card", !options.cards.empty()},
      {"--svg", !options.svg.empty()},
      {"--html", !options.html.empty()}};
  for (const auto& [flag, there] : given) {
    if (there) {
      return Invalid(std::string(flag) +
                     " is for --app and not for --tenants: leave it out" +
                     (std::string_view(flag) == "--cpus"
                          ? ", and write --server NAME=cpus:LIST"
                          : ""));
    }
  }
  return {};
}

Result<double> ParsePercent(const std::string& flag, const std::string& text,
                            bool zero) {
  std::string_view number = Trim(text);
  if (number.ends_with('%')) {
    number.remove_suffix(1);
  }
  const auto percent = ParseDouble(number);
  if (!percent || !(zero ? *percent >= 0 : *percent > 0) || *percent > 100) {
    return Invalid(flag + ": \"" + text + "\" must be a share " +
                   (zero ? "of 0%" : "above 0%") + " up to 100%, e.g. 15%");
  }
  return *percent / 100;
}

// What another mode would make nothing of.
Result<void> RefuseOtherModes(const ContendOptions& options,
                              tenants::Kind mode) {
  using tenants::Kind;
  const std::tuple<const char*, bool, Kind> given[] = {
      {"--stress", !options.kinds.empty(), Kind::kSensitivity},
      {"--dials", !options.dials.empty(), Kind::kSensitivity},
      {"--target", !options.target.empty(), Kind::kRandom},
      {"--quotas", !options.quotas.empty(), Kind::kRandom},
      {"--deployments", options.deployments.has_value(), Kind::kRandom}};
  for (const auto& [flag, there, of] : given) {
    if (there && mode != of) {
      return Invalid(std::string(flag) + " is for " +
                     std::string(tenants::KindName(of)) +
                     " of tenants: leave it out");
    }
  }
  return {};
}

Result<void> ReadCampaignNumbers(const ContendOptions& options,
                                 tenants::CampaignRequest* request) {
  const bool random = request->mode == tenants::Kind::kRandom;
  request->repeat = options.repeat.value_or(random ? 2 : 1);
  request->deployments = options.deployments;
  request->seed = options.seed;
  request->chooser = contention::LeastSureChooser(options.seed);
  if (auto read = ReadStressors(options, &request->kinds, &request->dials);
      !read) {
    return read;
  }
  if (!options.target.empty()) {
    const auto target = ParsePercent("--target", options.target, false);
    if (!target) {
      return target.error();
    }
    request->target = *target;
  }
  if (!options.quotas.empty()) {
    const auto quotas = ParsePercent("--quotas", options.quotas, true);
    if (!quotas) {
      return quotas.error();
    }
    request->quotas = *quotas;
  }
  return ReadTimes(
      {{"--budget", options.budget, request->budget_ns},
       {"--duration", options.duration, request->conditions.measure_ns},
       {"--warmup", options.warmup, request->conditions.warmup_ns}});
}

Result<tenants::CampaignRequest> CampaignFrom(const ContendOptions& options,
                                              const Context& context) {
  tenants::CampaignRequest request;
  const auto mode = KindOf(options.mode);
  if (!mode) {
    return mode.error();
  }
  request.mode = *mode;
  if (const Result<void> refused = RefuseAppOptions(options); !refused) {
    return refused.error();
  }
  if (const Result<void> refused = RefuseOtherModes(options, *mode); !refused) {
    return refused.error();
  }
  auto some = tenants::TenantsFrom(options.tenants);
  if (!some) {
    return some.error();
  }
  request.tenants = std::move(*some);
  auto server = ParseServer(options.server);
  if (!server) {
    return server.error();
  }
  request.server = std::move(*server);
  if (options.out.empty()) {
    return Invalid("--out is needed: the folder for what is measured");
  }
  request.out = options.out;
  auto conditions = DeployConditionsHere(context);
  if (!conditions) {
    return conditions.error();
  }
  request.conditions = std::move(*conditions);
  if (const Result<void> numbers = ReadCampaignNumbers(options, &request);
      !numbers) {
    return numbers.error();
  }
  if (const Result<void> checked = tenants::CheckCampaign(request); !checked) {
    return checked.error();
  }
  return request;
}

}  // namespace

Result<tenants::Server> ParseServer(const std::string& text) {
  tenants::Server server;
  const size_t equals = std::min(text.find('='), text.size());
  server.name = text.empty() ? "here" : text.substr(0, equals);
  const auto refuse = [&text](const std::string& why) {
    return Invalid("--server: \"" + text + "\" " + why +
                   ": write e.g. left=cpus:0,memory:2GiB");
  };
  if (!tenants::IsPlainName(server.name)) {
    return refuse("has no name of letters, digits, \".\", \"-\" and \"_\"");
  }
  // Commas also stand within lists of cores: "cpus:0,2,memory:1GiB".
  std::optional<std::string> cpus;
  std::optional<std::string> memory;
  bool in_cpus = false;
  if (equals < text.size()) {
    for (const std::string_view part :
         Split(std::string_view(text).substr(equals + 1), ',')) {
      if (part.starts_with("cpus:") && !cpus) {
        cpus = part.substr(5);
        in_cpus = true;
      } else if (part.starts_with("memory:") && !memory) {
        memory = part.substr(7);
        in_cpus = false;
      } else if (in_cpus && !part.empty()) {
        *cpus += "," + std::string(part);
      } else {
        return refuse("has something that is neither cpus: nor memory:");
      }
    }
  }
  server.cpus = UsableCpus();
  if (cpus) {
    const auto list = ParseCpuList(*cpus);
    if (!list) {
      return refuse("has no cores: " + list.error().message);
    }
    server.cpus = *list;
  }
  if (memory) {
    const auto bytes = ParseBytes(*memory);
    if (!bytes) {
      return refuse("has no memory: " + bytes.error().message);
    }
    server.memory_bytes = *bytes;
  }
  server.fingerprint =
      ReadMachine().fingerprint + ":" + FormatCpuList(server.cpus) +
      (server.memory_bytes ? ":" + std::to_string(*server.memory_bytes) : "");
  return server;
}

Result<tenants::DeployConditions> DeployConditionsHere(const Context& context) {
  tenants::DeployConditions conditions;
  conditions.home = context.home;
  conditions.group = NewRunId();
  conditions.measure_ns = 7 * kNsPerSecond;
  std::error_code error;
  conditions.edgewise_program =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) {
    return Error{ErrorCode::kUnsupported,
                 "cannot find edgewise itself: " + error.message() +
                     " (is /proc mounted?)"};
  }
  auto program = tenants::FindTenantProgram(conditions.edgewise_program);
  if (!program) {
    return program.error();
  }
  conditions.tenant_program = std::move(*program);
  return conditions;
}

Result<void> RefuseTenantOptions(const ContendOptions& options) {
  const std::pair<const char*, bool> given[] = {
      {"--server", !options.server.empty()},
      {"--out", !options.out.empty()},
      {"--budget", !options.budget.empty()},
      {"--target", !options.target.empty()},
      {"--quotas", !options.quotas.empty()}};
  for (const auto& [flag, there] : given) {
    if (there) {
      return Invalid(std::string(flag) +
                     " is for tenants: add --tenants nine, or leave it out");
    }
  }
  return {};
}

int ContendTenants(const ContendOptions& options, const Context& context) {
  const auto request = CampaignFrom(options, context);
  if (!request) {
    return Fail(request.error());
  }
  (void)SweepStale(context.home);
  ProgressLine line(true);
  const auto report =
      RunCampaign(*request, [&line](const tenants::CampaignProgress& at) {
        line.Show(CampaignProgressText(at));
      });
  line.Clear();
  if (!report) {
    return Fail(report.error());
  }
  Print(options.json
            ? CampaignJson(*request, *report)
            : CampaignText(*request, *report, StyleFor(STDOUT_FILENO)));
  if (report->end == tenants::CampaignEnd::kCancelled) {
    PrintError("cancelled: the same command goes on from here");
    return kExitCancelled;
  }
  if (report->measured == 0 && !report->warnings.empty()) {
    PrintError("nothing could be measured: try each tenant by itself first");
    return kExitNo;
  }
  return kExitDone;
}

}  // namespace edgewise::cli
