// What a program did on GPUs, as facts and tables.
#ifndef EDGEWISE_REPORT_GPU_TABLES_H_
#define EDGEWISE_REPORT_GPU_TABLES_H_

#include <string>
#include <vector>

#include "report/run_facts.h"
#include "report/table.h"
#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

// The GPUs of a Run in one line of figures.
Fact GpuFact(const GpuAccount& account, const RunAnalysis& analysis);

// The kernels that took most time, at most `most`.
Table GpuKernelTable(const GpuSummary& summary, size_t most);
// Copies each way.
Table GpuCopyTable(const GpuSummary& summary);
// The calls of CUDA that took most time, at most `most`.
Table GpuCallTable(const GpuSummary& summary, size_t most);
// Busy and idle time, overlap, launches, and what recording took.
std::vector<Fact> GpuTimeFacts(const GpuSummary& summary);

// All of it for a terminal, with advice; empty without a summary.
std::string GpuText(const Run& run, const TextStyle& style);
// The same as Markdown, without a title.
std::string GpuMarkdown(const Run& run);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_GPU_TABLES_H_
