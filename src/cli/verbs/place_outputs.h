// What `place` writes beside what it prints.
#ifndef EDGEWISE_CLI_VERBS_PLACE_OUTPUTS_H_
#define EDGEWISE_CLI_VERBS_PLACE_OUTPUTS_H_

#include <map>
#include <string>

#include "base/result.h"
#include "orchestration/placement_file.h"
#include "report/orchestration_text.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct PlaceOutputs {
  std::string out;
  std::string svg;
  std::string html;
  std::string manifests;
  std::string cards;
  bool json = false;
};

// What apps need, by name.
using NeedsByApp = std::map<std::string, orchestration::AppNeeds>;

void AddPlaceOutputs(CLI::App& verb, PlaceOutputs& outputs);

// Before a long search: whether each of the files can be written, and a
// manifest be made of every request. The cards' needs are for WriteFiles.
Result<NeedsByApp> CheckOutputs(const PlaceOutputs& outputs,
                                const orchestration::Instance& instance);

// All but the page, which also shows what was verified.
Result<void> WriteFiles(const PlaceOutputs& outputs, const NeedsByApp& needs,
                        const OrchestrationReport& report);
Result<void> WritePage(const PlaceOutputs& outputs,
                       const OrchestrationReport& report);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PLACE_OUTPUTS_H_
