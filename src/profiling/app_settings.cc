#include "profiling/app_settings.h"

#include <filesystem>
#include <utility>

namespace edgewise {
namespace {

constexpr double kStackHz = 99;

void TakeConditions(const AppFile& app, const AppTarget& target,
                    Conditions* conditions) {
  const Limits& limits = app.limits;
  if (conditions->cpus.empty()) {
    conditions->cpus = limits.cores;
  }
  if (!conditions->cpu_quota_cores) {
    conditions->cpu_quota_cores = limits.cpu_cores;
  }
  if (!conditions->memory_limit_bytes) {
    conditions->memory_limit_bytes = limits.memory_bytes;
  }
  // Most apps never end by themselves: to be ended then is the plan.
  if (!conditions->duration_ns && !conditions->timeout_ns) {
    conditions->duration_ns = target.timeout_ns;
  }
  if (!conditions->stack_hz && app.stacks) {
    conditions->stack_hz = kStackHz;
  }
  auto env = target.env;
  for (const auto& [name, value] : conditions->env) {
    env[name] = value;
  }
  conditions->env = std::move(env);
}

ContainerPlan PlanOf(const AppFile& app, const AppTarget& target,
                     const AppParticulars& particulars) {
  ContainerPlan plan;
  plan.engine = *particulars.engine;
  plan.spec.image = app.image;
  plan.spec.args =
      target.data ? WithData(target.args, target.data->mount) : target.args;
  plan.spec.engine_args = app.engine_args;
  plan.spec.limits.devices = app.limits.devices;
  plan.spec.network = particulars.network;
  plan.spec.folder = app.folder.string();
  if (particulars.dataset) {
    plan.spec.mounts.push_back(
        {particulars.dataset->folder, target.data->mount, true});
  }
  return plan;
}

}  // namespace

SessionSettings AppSettings(const AppFile& app, const AppTarget& target,
                            const AppParticulars& particulars,
                            const SessionSettings& asked) {
  SessionSettings settings = asked;
  TakeConditions(app, target, &settings.conditions);
  settings.gpu_summary = settings.gpu_summary || app.gpu_summary;
  settings.ready = app.ready;
  if (settings.label.empty()) {
    settings.label =
        target.name.empty() ? app.name : app.name + "/" + target.name;
  }
  auto& details = settings.details;
  const auto note = [&details](const char* name, const std::string& value) {
    if (!value.empty()) {
      details[name] = value;
    }
  };
  note("app", app.name);
  note("version", app.Version());
  note("target", target.name);
  if (particulars.dataset) {
    note("dataset", particulars.dataset->source);
    note("dataset_digest", particulars.dataset->digest);
  }
  if (app.image.empty()) {
    settings.command = app.command;
    const auto args =
        particulars.dataset
            ? WithData(target.args, particulars.dataset->folder.string())
            : target.args;
    settings.command.insert(settings.command.end(), args.begin(), args.end());
    if (settings.conditions.cwd.empty()) {
      settings.conditions.cwd = app.folder.string();
    }
    return settings;
  }
  settings.container = PlanOf(app, target, particulars);
  settings.command = {app.image};
  settings.command.insert(settings.command.end(),
                          settings.container->spec.args.begin(),
                          settings.container->spec.args.end());
  note("image", app.image);
  note("image_digest", particulars.image_digest);
  note("engine", particulars.engine->name());
  if (app.network.any()) {
    settings.network = app.network;
    note("network", FormatImpairment(app.network));
  }
  return settings;
}

}  // namespace edgewise
