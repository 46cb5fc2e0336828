// The functions that a Run's time went to, and how their shares changed.
#ifndef EDGEWISE_REPORT_FUNCTION_TABLES_H_
#define EDGEWISE_REPORT_FUNCTION_TABLES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "report/table.h"
#include "store/analysis.h"

namespace edgewise {

// The first `most` functions by self: share with its interval, total share,
// where it is. `width`: columns that there are on a terminal, for a picture of
// self and names whose beginning is cut off; 0 for whole names without.
Table FunctionTable(const StackAnalysis& stacks, size_t most, int width);

// The functions whose share of self changed most, those without evidence left
// out unless none has any; `most` rows, `width` as above.
Table FunctionChangeTable(const std::vector<stacks::FunctionChange>& changes,
                          size_t most, int width);

// "1,234 samples of cpu-clock at 99 Hz": what the shares are shares of.
std::string SampledText(const StackAnalysis& stacks);
// What the reader should know of the stacks, one sentence each.
std::vector<std::string> StackNotes(const StackAnalysis& stacks);
// Those of them that are about the samples themselves.
std::vector<std::string> CollectionNotes(const stacks::Collection& collection);

// `show --functions`: the first `most`, with what they rest on.
std::string FunctionsText(const StackAnalysis& stacks, size_t most,
                          const TextStyle& style);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_FUNCTION_TABLES_H_
