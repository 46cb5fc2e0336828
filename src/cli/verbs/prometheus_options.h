// Where a cluster's Prometheus is and how it is asked, as options.
#ifndef EDGEWISE_CLI_VERBS_PROMETHEUS_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_PROMETHEUS_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cluster/prometheus.h"

namespace edgewise::cli {

struct PrometheusOptions {
  std::string where;
  std::string ca_file;
  std::string user;
  std::string password_file;
  std::string token_file;
};

// `purpose` ends the help of --prometheus.
void AddPrometheusOptions(CLI::App& verb, PrometheusOptions& options,
                          const std::string& purpose);

// By the options or $PROMETHEUS_IP; nullopt if neither names one.
Result<std::optional<cluster::Prometheus>> PrometheusFrom(
    const PrometheusOptions& options);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PROMETHEUS_OPTIONS_H_
