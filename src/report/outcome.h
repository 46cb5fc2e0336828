// How a Run ended, in plain words.
#ifndef EDGEWISE_REPORT_OUTCOME_H_
#define EDGEWISE_REPORT_OUTCOME_H_

#include <string>

#include "report/table.h"
#include "store/run.h"

namespace edgewise {

struct Outcome {
  std::string sentence;  // "killed by SIGSEGV (signal 11)"
  std::string word;      // for a column of a list: "SIGSEGV", "ok", "exit 3"
  Tone tone = Tone::kPlain;
};

Outcome OutcomeOf(const Run& run);

// The command as one would type it; a name for Runs without one.
std::string CommandText(const Run& run);
// What the program was held to ("CPU 0", "quota 0.5 cores", …), joined by
// " · "; empty if nothing was asked for.
std::string ConditionsText(const Conditions& conditions);
// "node-7, 4 × Cortex-A76, Linux 6.1".
std::string MachineText(const Machine& machine);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_OUTCOME_H_
