// What `edgewise plan` is told on the command line, made into a request.
#ifndef EDGEWISE_CLI_VERBS_PLAN_INPUTS_H_
#define EDGEWISE_CLI_VERBS_PLAN_INPUTS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "planning/assumed_wcet.h"
#include "scheduling/make_plan.h"
#include "scheduling/remedies.h"

namespace edgewise::cli {

struct PlanOptions {
  std::filesystem::path home;             // where measured timers are kept
  std::vector<std::string> files;         // cards, or rt-app files (.json)
  std::vector<std::string> alternatives;  // [NAME=]CARD
  std::string cores;
  std::string reserve = "10%";
  std::string executor = "edf";
  std::string latency;
  std::string overhead;
  WcetChoices wcet;
  bool optimal = false;
};

struct PlanInputs {
  scheduling::PlanRequest request;
  std::vector<scheduling::Alternative> alternatives;
  std::vector<int> spare_cores;  // usable, but not asked for
  std::vector<std::string> notes;
};

// Reads the files and this machine's cores, memory, throttling and, unless they
// are given, measured timers. The error names the file or flag.
Result<PlanInputs> ReadPlanInputs(const PlanOptions& options);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PLAN_INPUTS_H_
