// What `place` is asked about: files, or an instance made up from a seed, and
// what would be if.
#ifndef EDGEWISE_CLI_VERBS_PLACE_INPUTS_H_
#define EDGEWISE_CLI_VERBS_PLACE_INPUTS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "orchestration/instance.h"
#include "orchestration/pressure_model.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct PlaceInputs {
  std::string requests;
  std::string servers;
  std::string pressures;
  std::string generate;
  std::string save;
  std::string current;
  std::vector<std::string> remove;
  std::string rate;
};

struct PlaceQuestion {
  orchestration::Instance instance;
  orchestration::PressureFigures pressures;
  orchestration::Assignment current;  // empty: none
  // As it stands there, not made up and nothing changed.
  bool from_files = false;
};

void AddPlaceInputs(CLI::App& verb, PlaceInputs& inputs);

// `admit`: a file with one more request, which comes last; empty: none.
Result<PlaceQuestion> ReadQuestion(const PlaceInputs& inputs,
                                   const std::string& admit);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PLACE_INPUTS_H_
