// What is worth saying about a Run, before it is text, Markdown or anything
// else: the one place that chooses, orders and words the figures.
#ifndef EDGEWISE_REPORT_RUN_FACTS_H_
#define EDGEWISE_REPORT_RUN_FACTS_H_

#include <string>
#include <vector>

#include "report/table.h"
#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

struct Fact {
  std::string name;                 // "memory"
  std::vector<std::string> pieces;  // "max RSS 118 MiB", "PSS --"
  std::vector<double> trend;        // over the run, for a sparkline; or empty
};

// The figures of the whole Run, the most important first; one that is not
// known is "--".
std::vector<Fact> RunFacts(const Run& run, const RunAnalysis& analysis);

// The threads that used most CPU time, at most `most`.
Table ThreadTable(const Run& run, size_t most);

// What the reader should know before trusting the figures.
std::vector<std::string> RunWarnings(const Run& run,
                                     const RunAnalysis& analysis);

// What could not be measured: one sentence per reason, naming all that it
// concerns.
std::vector<std::string> UnavailableText(const Run& run);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_RUN_FACTS_H_
