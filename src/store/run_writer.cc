#include "store/run_writer.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "stacks/encode.h"
#include "store/database.h"
#include "store/run_json.h"
#include "store/run_names.h"
#include "store/run_writer_state.h"
#include "store/store_state.h"

namespace edgewise {
namespace {

// A session must go on draining its rings: better to try again in a second.
constexpr std::chrono::milliseconds kFlushPatience{200};
constexpr std::string_view kMoreNames = "(more names)";

class ScopedPatience {
 public:
  ScopedPatience(Database& database, std::chrono::milliseconds patience)
      : database_(database) {
    database_.SetPatience(patience);
  }
  ScopedPatience(const ScopedPatience&) = delete;
  ScopedPatience& operator=(const ScopedPatience&) = delete;
  ~ScopedPatience() { database_.SetPatience(Database::kPatience); }

 private:
  Database& database_;
};

}  // namespace

RunWriter::RunWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;

RunWriter& RunWriter::operator=(RunWriter&& other) noexcept {
  // Swapped, so that the Run written so far is closed with `other`.
  std::swap(state_, other.state_);
  return *this;
}

RunWriter::~RunWriter() {
  if (state_ == nullptr || state_->finished) {
    return;
  }
  // Nobody is left to tell; the next Open would find the Run as well.
  (void)Flush();
  const ScopedPatience patience(state_->database(), kFlushPatience);
  (void)state_->MarkInterrupted();
}

int64_t RunWriter::SeriesId(SeriesKind kind, std::string_view name,
                            std::string_view unit) {
  State& state = *state_;
  auto& ids = state.ids[kind];
  if (const auto found = ids.find(name); found != ids.end()) {
    return found->second;
  }
  const bool overflow = state.series.size() >= kMaxSeriesPerRun;
  if (overflow) {
    if (const auto found = ids.find(kMoreNames); found != ids.end()) {
      return found->second;
    }
    name = kMoreNames;
  }
  State::Series made;
  made.id =
      FirstSeriesOf(state.run_row) + static_cast<int64_t>(state.series.size());
  made.kind = kind;
  made.name = name;
  made.unit = unit;
  made.overflow = overflow;
  made.dirty = true;
  ids.emplace(made.name, made.id);
  state.series.push_back(std::move(made));
  return state.series.back().id;
}

uint32_t RunWriter::MetaId(std::string_view text) {
  State& state = *state_;
  if (text.empty()) {
    return 0;
  }
  if (const auto found = state.metas.find(text); found != state.metas.end()) {
    return found->second;
  }
  if (state.metas.size() >= kMaxMetaTexts) {
    return 0;
  }
  const auto id = static_cast<uint32_t>(state.metas.size() + 1);
  state.metas.emplace(text, id);
  state.new_metas.emplace_back(id, text);
  return id;
}

void RunWriter::AddSpans(int64_t series, std::span<const Span> spans) {
  state_->Add(series, spans, &State::Series::spans,
              state_->HasKind(series, SeriesKind::kSpan));
}

void RunWriter::AddJobs(int64_t series, std::span<const Job> jobs) {
  state_->Add(series, jobs, &State::Series::jobs,
              state_->HasKind(series, SeriesKind::kJob));
}

void RunWriter::AddPoint(int64_t series, Point point) {
  state_->Add(series, std::span<const Point>(&point, 1), &State::Series::points,
              state_->HasKind(series, SeriesKind::kGauge) ||
                  state_->HasKind(series, SeriesKind::kSystem));
}

void RunWriter::AddDropped(int64_t series, int64_t count) {
  State::Series* to = state_->Find(series);
  assert(to != nullptr);
  if (to != nullptr && count > 0) {
    to->dropped += count;
    to->dirty = true;
  }
}

void RunWriter::SetStacks(const stacks::StackProfile& profile) {
  state_->stacks = stacks::Encode(profile);
}

size_t RunWriter::BufferedBytes() const { return state_->buffered_bytes; }

Result<void> RunWriter::Flush() {
  State& state = *state_;
  const bool nothing_new =
      state.new_metas.empty() &&
      std::none_of(state.series.begin(), state.series.end(),
                   [](const State::Series& each) { return each.dirty; });
  if (nothing_new) {
    return {};
  }
  const ScopedPatience patience(state.database(), kFlushPatience);
  auto transaction = Transaction::Begin(state.database());
  if (!transaction) {
    return transaction.error();
  }
  auto bytes = state.WritePending();
  if (!bytes) {
    return bytes.error();
  }
  if (auto committed = transaction->Commit(); !committed) {
    return committed;
  }
  state.ForgetPending(*bytes);
  return {};
}

Result<void> RunWriter::Finish(const Run& run) {
  State& state = *state_;
  assert(run.id == state.run_id);
  auto transaction = Transaction::Begin(state.database());
  if (!transaction) {
    return transaction.error();
  }
  auto bytes = state.WritePending();
  if (!bytes) {
    return bytes.error();
  }
  if (auto written = state.WriteStacks(); !written) {
    return written;
  }
  auto update = state.database().Prepare(
      "UPDATE run SET state = ?2, label = ?3, run_group = ?4, command = ?5, "
      "document = ?6 WHERE row = ?1");
  if (!update) {
    return update.error();
  }
  const std::string document = RunToJson(run);
  const std::string command = ShellQuote(run.command);
  if (auto done = update->BindInt(1, state.run_row)
                      .BindText(2, RunStateName(run.state))
                      .BindText(3, run.label)
                      .BindText(4, run.group)
                      .BindText(5, command)
                      .BindText(6, document)
                      .Execute();
      !done) {
    return done;
  }
  if (auto committed = transaction->Commit(); !committed) {
    return committed;
  }
  state.ForgetPending(*bytes);
  state.finished = true;
  return {};
}

}  // namespace edgewise
