// `edgewise predict --place`: the node that a network runs fastest on, and a
// manifest bound to it.
#ifndef EDGEWISE_CLI_VERBS_PREDICT_PLACE_H_
#define EDGEWISE_CLI_VERBS_PREDICT_PLACE_H_

#include <CLI/CLI.hpp>
#include <string>

#include "cli/verbs/network_query.h"
#include "cli/verbs/prometheus_options.h"

namespace edgewise::cli {

struct PlaceOptions {
  bool place = false;
  bool apply = false;
  std::string nodes;
  PrometheusOptions prometheus;
  std::string image;
  std::string output;
};

void AddPlaceOptions(CLI::App& verb, PlaceOptions& options);
int PlaceVerb(const LatencyModel& model, const NetworkQuery& network,
              const PlaceOptions& options, bool json);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PREDICT_PLACE_H_
