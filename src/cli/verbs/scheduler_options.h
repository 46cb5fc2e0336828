// Answering a Kubernetes scheduler, as options of `serve`.
#ifndef EDGEWISE_CLI_VERBS_SCHEDULER_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_SCHEDULER_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "cli/verbs/prometheus_options.h"
#include "server/scheduler.h"

namespace edgewise::cli {

struct SchedulerOptions {
  std::string folder;
  double confidence = 0.9;
};

void AddSchedulerOptions(CLI::App& verb, SchedulerOptions& options);

// Null without --scheduler. The folder's servers.yaml and pressures.yaml are
// read once; what runs comes from Prometheus every `refresh`, or else from
// requests.yaml and placement.yaml there whenever they change.
Result<std::unique_ptr<Scheduler>> SchedulerFrom(
    const SchedulerOptions& options, const PrometheusOptions& prometheus,
    std::chrono::milliseconds refresh, double state_limit_s);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_SCHEDULER_OPTIONS_H_
