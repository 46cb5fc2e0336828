#include "project/run_files.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/run_csv.h"
#include "report/run_json.h"
#include "store/analysis.h"

namespace edgewise {
namespace {

constexpr size_t kMostBytes = size_t{64} << 20;

// A CSV that has more than its header.
template <typename Write>
Result<void> AddRecords(const Run& run, const char* name, Write write,
                        Deliverable* deliverable) {
  std::string csv;
  bool too_long = false;
  const Result<void> written = write([&](std::string_view piece) {
    too_long = too_long || csv.size() + piece.size() > kMostBytes;
    if (!too_long) {
      csv += piece;
    }
  });
  if (!written) {
    return written;
  }
  if (too_long) {
    deliverable->warnings.push_back(
        "The records of Run " + run.id +
        " are left out, there are too many: edgewise export " + run.id +
        " --format csv has them");
  } else if (std::count(csv.begin(), csv.end(), '\n') > 1) {
    deliverable->files.push_back(
        {"runs/" + run.id + "/" + name, std::move(csv)});
  }
  return {};
}

}  // namespace

Result<void> AddRunFiles(const Store& store, const Run& run,
                         Deliverable* deliverable) {
  const std::string folder = "runs/" + run.id + "/";
  auto& files = deliverable->files;
  if (std::any_of(files.begin(), files.end(), [&](const ArchivedFile& file) {
        return file.name.starts_with(folder);
      })) {
    return {};
  }
  const auto analysis = Analyse(store, run);
  if (!analysis) {
    return analysis.error();
  }
  files.push_back({folder + "run.json", RunJson(run, *analysis)});
  files.push_back({folder + "summary.csv", SummaryCsv(run, *analysis)});
  if (Result<void> added = AddRecords(
          run, "spans.csv",
          [&](const TextSink& sink) { return SpansCsv(store, run, sink); },
          deliverable);
      !added) {
    return added;
  }
  return AddRecords(
      run, "jobs.csv",
      [&](const TextSink& sink) { return JobsCsv(store, run, sink); },
      deliverable);
}

}  // namespace edgewise
