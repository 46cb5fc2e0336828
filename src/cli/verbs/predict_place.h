// `edgewise predict --place`: the node that a network runs fastest on, and a
// manifest bound to it.
#ifndef EDGEWISE_CLI_VERBS_PREDICT_PLACE_H_
#define EDGEWISE_CLI_VERBS_PREDICT_PLACE_H_

#include <CLI/CLI.hpp>
#include <string>

#include "prediction/predict.h"

namespace edgewise::cli {

struct PlaceOptions {
  bool place = false;
  bool apply = false;
  std::string nodes;
  std::string image;
  std::string output;
};

void AddPlaceOptions(CLI::App& verb, PlaceOptions& options);
int PlaceVerb(const LatencyModel& model, const Query& query,
              const PlaceOptions& options, bool json);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PREDICT_PLACE_H_
