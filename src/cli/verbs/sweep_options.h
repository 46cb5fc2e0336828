// What `edgewise sweep` is told on the command line, made into a request.
#ifndef EDGEWISE_CLI_VERBS_SWEEP_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_SWEEP_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/verbs/run_options.h"
#include "experiments/sweep.h"
#include "experiments/sweep_plan.h"

namespace edgewise::cli {

struct SweepVerbOptions {
  RunOptions run;
  std::vector<std::string> cpus;
  std::string threads;
  std::string frequency;
  std::string quota;
  std::string memory;
  std::string load;
  std::vector<std::string> vary;
  std::string cool_down;
  std::string span;
  std::string show;
  std::string html;
  std::string svg;
  int repeat = 5;
  uint64_t seed = 1;
  SweepOptions sweep;
  bool json = false;
};

void AddSweepOptions(CLI::App& verb, SweepVerbOptions& options);

// The error names the flag.
Result<SweepRequest> SweepRequestFrom(SweepVerbOptions& options,
                                      const CLI::App& verb,
                                      const Context& context);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_SWEEP_OPTIONS_H_
