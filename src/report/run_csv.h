// A Run's records and figures as CSV, for spreadsheets and data frames.
//
// docs/formats/csv.md describes the columns. Functions with a `sink` hand rows
// over in pieces, so that a long Run need not fit into memory.
#ifndef EDGEWISE_REPORT_RUN_CSV_H_
#define EDGEWISE_REPORT_RUN_CSV_H_

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/analysis.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

using TextSink = std::function<void(std::string_view)>;

// name,start_s,wall_ms,cpu_ms,tid,meta: one row per span, series by series.
Result<void> SpansCsv(const Store& store, const Run& run, const TextSink& sink);
Result<std::string> SpansCsv(const Store& store, const Run& run);

// name,release_s,start_s,end_s,deadline_s,cpu_ms,tid: one row per job of a
// periodic activity.
Result<void> JobsCsv(const Store& store, const Run& run, const TextSink& sink);
Result<std::string> JobsCsv(const Store& store, const Run& run);

// name,unit,t_s,value: one row per point of every series, those that the app
// reported and those that edgewise sampled.
Result<void> SeriesCsv(const Store& store, const Run& run,
                       const TextSink& sink);
Result<std::string> SeriesCsv(const Store& store, const Run& run);

// kind,name,statistic,value,low,high,unit: totals, counters, and the statistics
// of every series and span, with 95% intervals. Unknown is an empty field.
std::string SummaryCsv(const Run& run, const RunAnalysis& analysis);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_RUN_CSV_H_
