#include "store/import_pywaggle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "store/iso_time.h"

namespace edgewise {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kDurationPrefix = "plugin.duration.";
constexpr size_t kMaxLineBytes = 1 << 20;
constexpr size_t kMaxNameBytes = 256;
constexpr size_t kToldProblems = 5;
// 1970 to 2200: what a clock may say, and differences that fit 64 bits.
constexpr int64_t kLatestUtcNs = 7'258'118'400 * kNsPerSecond;

Error Bad(std::string what) { return {ErrorCode::kInvalid, std::move(what)}; }

std::optional<int64_t> TimestampOf(const Json& json) {
  std::optional<int64_t> ns;
  if (json.is_string()) {
    ns = ParseIsoUtcNs(json.get_ref<const std::string&>());
  } else if (json.is_number_integer() &&
             !(json.is_number_unsigned() &&
               json.get<uint64_t>() > static_cast<uint64_t>(kLatestUtcNs))) {
    ns = json.get<int64_t>();
  }
  return ns && *ns >= 0 && *ns <= kLatestUtcNs ? ns : std::nullopt;
}

std::string MetaOf(const Json& json) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "" : ",") + key + "=" +
            (value.is_string()
                 ? value.get<std::string>()
                 : value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return text;
}

// Hands records over to a RunWriter; times count from the first of all.
class Importer {
 public:
  Importer(RunWriter& writer, int64_t start_utc_ns)
      : writer_(writer), start_utc_ns_(start_utc_ns) {}

  void Add(const PywaggleRecord& record) {
    const int64_t end_ns = record.timestamp_utc_ns - start_utc_ns_;
    if (record.duration_ns) {
      Span span;
      span.start_ns = end_ns - *record.duration_ns;
      span.wall_ns = *record.duration_ns;
      span.meta = writer_.MetaId(record.meta);
      writer_.AddSpans(writer_.SeriesId(SeriesKind::kSpan, record.name, ""),
                       {&span, 1});
    } else if (record.number) {
      writer_.AddPoint(writer_.SeriesId(SeriesKind::kGauge, record.name, ""),
                       {end_ns, *record.number});
    }
  }

 private:
  RunWriter& writer_;
  int64_t start_utc_ns_;
};

struct LogContent {
  std::vector<PywaggleRecord> records;
  int64_t start_utc_ns = kLatestUtcNs;
  int64_t end_utc_ns = 0;
};

Result<LogContent> ReadLog(const std::filesystem::path& file,
                           PywaggleImport& outcome) {
  if (std::filesystem::is_directory(file)) {
    return Bad(fmt::format("{} is a folder; name the data.ndjson in it",
                           file.string()));
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("cannot read {} ({}); name the data.ndjson that "
                             "pywaggle wrote to PYWAGGLE_LOG_DIR",
                             file.string(), ErrnoText())};
  }
  LogContent content;
  std::string line;
  for (int64_t number = 1; std::getline(in, line); ++number) {
    if (Trim(line).empty()) {
      continue;
    }
    auto record = ParsePywaggleLine(line);
    if (!record) {
      ++outcome.skipped_lines;
      if (outcome.problems.size() < kToldProblems) {
        outcome.problems.push_back(fmt::format("{}:{}: {}", file.string(),
                                               number, record.error().message));
      }
      continue;
    }
    if (!record->duration_ns && !record->number) {
      ++outcome.texts;
      continue;
    }
    (record->duration_ns ? outcome.spans : outcome.points) += 1;
    content.start_utc_ns =
        std::min(content.start_utc_ns,
                 record->timestamp_utc_ns - record->duration_ns.value_or(0));
    content.end_utc_ns = std::max(content.end_utc_ns, record->timestamp_utc_ns);
    content.records.push_back(std::move(*record));
  }
  if (content.records.empty()) {
    return Bad(
        fmt::format("{} has no line with a number that edgewise can use{}{}",
                    file.string(), outcome.problems.empty() ? "" : "; ",
                    outcome.problems.empty() ? "" : outcome.problems.front()));
  }
  return content;
}

}  // namespace

Result<PywaggleRecord> ParsePywaggleLine(std::string_view line) {
  if (line.size() > kMaxLineBytes) {
    return Bad("the line is longer than 1 MiB");
  }
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded() || !json.is_object()) {
    return Bad("this is no JSON object");
  }
  const auto name = json.find("name");
  if (name == json.end() || !name->is_string() ||
      name->get_ref<const std::string&>().empty() ||
      name->get_ref<const std::string&>().size() > kMaxNameBytes) {
    return Bad("'name' must be a text of 1 to 256 bytes");
  }
  const auto stamp = json.find("timestamp");
  const auto timestamp =
      stamp == json.end() ? std::nullopt : TimestampOf(*stamp);
  if (!timestamp) {
    return Bad(
        "'timestamp' must be nanoseconds since 1970 or ISO 8601 text, such as "
        "2026-01-31T12:00:00Z");
  }
  const auto value = json.find("value");
  if (value == json.end()) {
    return Bad("'value' is missing");
  }
  PywaggleRecord record;
  record.name = name->get_ref<const std::string&>();
  record.timestamp_utc_ns = *timestamp;
  if (const auto meta = json.find("meta");
      meta != json.end() && meta->is_object()) {
    record.meta = MetaOf(*meta);
  }
  if (record.name.starts_with(kDurationPrefix) && value->is_number()) {
    const bool fits =
        value->is_number_integer() &&
        !(value->is_number_unsigned() &&
          value->get<uint64_t>() > static_cast<uint64_t>(*timestamp));
    if (!fits || value->get<int64_t>() < 0) {
      return Bad("a duration must be whole nanoseconds, 0 or more");
    }
    record.duration_ns = value->get<int64_t>();
  } else if (value->is_number()) {
    record.number = value->get<double>();
    if (!std::isfinite(*record.number)) {
      return Bad("'value' is not finite");
    }
  }
  return record;
}

Result<PywaggleImport> ImportPywaggle(Store& store,
                                      const std::filesystem::path& file,
                                      const std::string& label) {
  PywaggleImport outcome;
  auto content = ReadLog(file, outcome);
  if (!content) {
    return content.error();
  }
  Run& run = outcome.run;
  run.id = NewRunId();
  run.kind = "import";
  run.label = label;
  run.note = "pywaggle log " + file.string();
  run.started_utc_ns = content->start_utc_ns;
  run.totals.wall_s =
      static_cast<double>(content->end_utc_ns - content->start_utc_ns) * 1e-9;
  run.unavailable.push_back(
      {"CPU time and memory", "a pywaggle log does not have them"});
  if (outcome.skipped_lines > 0) {
    run.warnings.push_back(
        fmt::format("{} lines of the log were malformed and left out",
                    outcome.skipped_lines));
  }
  auto writer = store.Begin(run);
  if (!writer) {
    return writer.error();
  }
  Importer importer(*writer, content->start_utc_ns);
  for (const PywaggleRecord& record : content->records) {
    importer.Add(record);
    if (writer->BufferedBytes() > (size_t{8} << 20)) {
      if (auto flushed = writer->Flush(); !flushed) {
        return flushed.error();
      }
    }
  }
  run.state = RunState::kDone;
  if (auto finished = writer->Finish(run); !finished) {
    return finished.error();
  }
  return outcome;
}

}  // namespace edgewise
