#include "mqtt/import_log.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "mqtt/names.h"
#include "mqtt/sequence_account.h"
#include "mqtt/stages.h"

namespace edgewise::mqtt {
namespace {

constexpr size_t kMostLineBytes = size_t{16} << 20;
constexpr size_t kFlushBytes = size_t{4} << 20;
constexpr int64_t kLatestNs = 7'258'118'400 * kNsPerSecond;  // 2200
constexpr size_t kSecondDigits = 10;
constexpr size_t kNsDigits = 19;

struct Stamp {
  int64_t ns = 0;
  bool coarse = false;
};

std::optional<Stamp> ParseStamp(std::string_view text) {
  // What ts makes of '%s%N', which it does not know.
  const bool literal = text.ends_with("%N");
  if (literal) {
    text.remove_suffix(2);
  }
  std::string_view fraction;
  if (const size_t dot = text.find('.'); dot != std::string_view::npos) {
    fraction = text.substr(dot + 1);
    text = text.substr(0, dot);
  }
  const auto whole = ParseUint(text);
  if (!whole || *whole > static_cast<uint64_t>(kLatestNs)) {
    return std::nullopt;
  }
  const auto number = static_cast<int64_t>(*whole);
  if (text.size() == kNsDigits && fraction.empty()) {
    return Stamp{number, false};
  }
  if (text.size() != kSecondDigits || fraction.size() > 9 ||
      number > kLatestNs / kNsPerSecond) {
    return std::nullopt;
  }
  if (fraction.empty()) {
    return Stamp{number * kNsPerSecond, true};
  }
  const auto digits = ParseUint(fraction);
  if (!digits) {
    return std::nullopt;
  }
  auto part = static_cast<int64_t>(*digits);
  for (size_t i = fraction.size(); i < 9; ++i) {
    part *= 10;
  }
  return Stamp{number * kNsPerSecond + part, false};
}

// Hands messages over to a RunWriter; times count from the first of all.
class Importer {
 public:
  explicit Importer(RunWriter& writer) : writer_(writer) {}

  void Take(const LogLine& line) {
    const auto message = ParseMessage(line.payload);
    if (!message) {
      ++foreign_;
      return;
    }
    if (first_ns_ == 0) {
      first_ns_ = std::min(line.received_ns,
                           message->t_pub_ns.value_or(line.received_ns));
    }
    ++messages_;
    coarse_ = coarse_ || line.coarse;
    // Requests and results are numbered alike.
    SequenceAccount& sequence = message->is_result() ? results_ : requests_;
    if (sequence.Take(message->id) == SequenceAccount::Kind::kAgain) {
      return;
    }
    // Everything on the wall clock: nothing is known of hosts here.
    Message known = *message;
    known.host.reset();
    known.processor.reset();
    const StageTimes stages = StagesOf(
        known, {line.received_ns, line.received_ns, 0},
        [](uint64_t) -> const clocks::ClockEstimate* { return nullptr; });
    for (const Stage stage : kAllStages) {
      const auto& time = stages[static_cast<size_t>(stage)];
      const bool by_arrival = stage == Stage::kToConsumer ||
                              stage == Stage::kTotal || stage == Stage::kNaive;
      if (time && !(line.coarse && by_arrival)) {
        Add(stage, *time);
      }
    }
  }

  void Finish(Run* run) {
    const SequenceAccount& counted =
        results_.highest() >= 0 ? results_ : requests_;
    const auto count = [this](const char* name, int64_t value) {
      writer_.AddPoint(writer_.SeriesId(SeriesKind::kGauge, name, "total"),
                       {last_ns_, static_cast<double>(value)});
    };
    count(kReceived, counted.unique() + counted.duplicated());
    count(kDuplicated, counted.duplicated());
    count(kReordered, counted.reordered());
    count(kForeign, foreign_);
    count(kNegative, negative_);
    if (negative_ > 0) {
      writer_.AddPoint(writer_.SeriesId(SeriesKind::kGauge, kMostNegative, ""),
                       {last_ns_, static_cast<double>(most_negative_ns_)});
    }
    run->started_utc_ns = first_ns_;
    const int64_t missing = counted.highest() + 1 - counted.unique();
    if (counted.highest() >= 0 && missing > 0) {
      run->warnings.push_back(
          "of the numbers up to " + FormatCount(counted.highest()) + " " +
          FormatCount(missing) +
          " are not there: lost, or from before the log began");
    }
    if (coarse_) {
      run->warnings.emplace_back(
          "the log has whole seconds only (ts does not know %N), so when "
          "messages were received is not known; use ts '%.s'");
    }
  }

  int64_t messages() const { return messages_; }
  int64_t foreign() const { return foreign_; }
  bool coarse() const { return coarse_; }

 private:
  void Add(Stage stage, const StageTime& time) {
    Span span;
    span.start_ns = std::max<int64_t>(0, time.start_ns - first_ns_);
    span.wall_ns = time.length_ns;
    if (span.wall_ns < 0) {
      ++negative_;
      most_negative_ns_ = std::min(most_negative_ns_, span.wall_ns);
      span.wall_ns = 0;
    }
    last_ns_ = std::max(last_ns_, span.start_ns + span.wall_ns);
    writer_.AddSpans(writer_.SeriesId(SeriesKind::kSpan, StageName(stage), ""),
                     {&span, 1});
  }

  RunWriter& writer_;
  SequenceAccount requests_;
  SequenceAccount results_;
  int64_t first_ns_ = 0;
  int64_t last_ns_ = 0;
  int64_t messages_ = 0;
  int64_t foreign_ = 0;
  int64_t negative_ = 0;
  int64_t most_negative_ns_ = 0;
  bool coarse_ = false;
};

}  // namespace

std::optional<LogLine> ParseLogLine(std::string_view line) {
  line = Trim(line);
  const size_t first = line.find(' ');
  if (first == std::string_view::npos) {
    return std::nullopt;
  }
  const auto stamp = ParseStamp(line.substr(0, first));
  const std::string_view rest = Trim(line.substr(first));
  // A topic may hold blanks; ours and the lab's do not.
  const size_t second = rest.find(' ');
  if (!stamp || second == std::string_view::npos) {
    return std::nullopt;
  }
  return LogLine{stamp->ns, stamp->coarse, rest.substr(0, second),
                 Trim(rest.substr(second))};
}

Result<LogImport> ImportLog(Store& store, const std::filesystem::path& file,
                            const std::string& label) {
  std::ifstream input(file);
  if (!input) {
    return Error{ErrorCode::kNotFound,
                 "cannot read " + file.string() + ": check its name"};
  }
  LogImport import;
  Run& run = import.run;
  run.id = NewRunId();
  run.kind = "import";
  run.label = label;
  run.note = "MQTT log " + file.string();
  run.started_utc_ns = UtcNs();
  run.unavailable.push_back({"wall time, CPU time and memory",
                             "a log of messages does not have them"});
  auto writer = store.Begin(run);
  if (!writer) {
    return writer.error();
  }
  Importer importer(*writer);
  std::string text;
  while (std::getline(input, text)) {
    const auto line =
        text.size() <= kMostLineBytes ? ParseLogLine(text) : std::nullopt;
    if (line) {
      importer.Take(*line);
    } else if (!Trim(text).empty()) {
      ++import.foreign_lines;
    }
    if (writer->BufferedBytes() > kFlushBytes) {
      if (const auto flushed = writer->Flush(); !flushed) {
        return flushed.error();
      }
    }
  }
  import.messages = importer.messages();
  import.foreign_lines += importer.foreign();
  import.coarse = importer.coarse();
  if (import.messages == 0) {
    const std::string id = run.id;
    { const RunWriter unfinished = std::move(*writer); }
    (void)store.Remove(id);
    return Error{ErrorCode::kInvalid,
                 file.string() +
                     " has no message with id and t_pub_ns: make it with "
                     "mosquitto_sub -v -t 'lab/e2e/#' | ts '%.s'"};
  }
  importer.Finish(&run);
  run.state = RunState::kDone;
  if (const auto finished = writer->Finish(run); !finished) {
    return finished.error();
  }
  return import;
}

}  // namespace edgewise::mqtt
