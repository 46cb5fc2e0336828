#include "server/job_artifacts.h"

#include "http/response.h"
#include "report/html.h"
#include "report/run_csv.h"
#include "report/run_json.h"
#include "store/analysis.h"

namespace edgewise {
namespace {

constexpr char kCsvType[] = "text/csv";

struct RunFile {
  const char* ending;
  const char* content_type;
  const char* description;
  Result<std::string> (*make)(const Store& store, const Run& run);
};

Result<std::string> MakeJson(const Store& store, const Run& run) {
  const auto analysis = Analyse(store, run);
  return analysis ? Result<std::string>(RunJson(run, *analysis))
                  : analysis.error();
}

Result<std::string> MakeSummary(const Store& store, const Run& run) {
  const auto analysis = Analyse(store, run);
  return analysis ? Result<std::string>(SummaryCsv(run, *analysis))
                  : analysis.error();
}

Result<std::string> MakeSpans(const Store& store, const Run& run) {
  return SpansCsv(store, run);
}

Result<std::string> MakeSeries(const Store& store, const Run& run) {
  return SeriesCsv(store, run);
}

constexpr RunFile kRunFiles[] = {
    {".json", http::kJsonType, "the Run", MakeJson},
    {".html", http::kHtmlType, "the report", RunHtml},
    {".summary.csv", kCsvType, "its figures", MakeSummary},
    {".spans.csv", kCsvType, "every span", MakeSpans},
    {".series.csv", kCsvType, "every sample", MakeSeries},
};

}  // namespace

std::vector<Artifact> ArtifactsOf(const AppJob& job) {
  std::vector<Artifact> artifacts{
      {"app.yaml", "application/yaml", "what was asked for"},
      {"log.txt", http::kTextType, "what it printed"}};
  for (const std::string& id : job.runs) {
    for (const RunFile& file : kRunFiles) {
      artifacts.push_back(
          {id + file.ending, file.content_type, file.description});
    }
  }
  return artifacts;
}

Result<std::optional<std::string>> ReadArtifact(
    JobQueue& queue, const std::filesystem::path& home, const AppJob& job,
    const std::string& name) {
  if (name == "app.yaml") {
    return queue.AppFileOf(job.id);
  }
  if (name == "log.txt") {
    return std::optional(queue.ReadLog(job.id, 0));
  }
  for (const std::string& id : job.runs) {
    for (const RunFile& file : kRunFiles) {
      if (name != id + file.ending) {
        continue;
      }
      const auto store = Store::Open(home);
      if (!store) {
        return store.error();
      }
      const auto run = store->Find(id);
      if (!run) {
        return run.error();
      }
      auto made = file.make(*store, *run);
      return made ? Result<std::optional<std::string>>(
                        std::optional(std::move(*made)))
                  : made.error();
    }
  }
  return std::optional<std::string>();
}

}  // namespace edgewise
