#include "report/function_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/units.h"
#include "report/figures.h"
#include "report/paragraphs.h"
#include "report/pictures.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

using stacks::FunctionChange;
using stacks::FunctionUse;
using stats::Verdict;

constexpr int kBarColumns = 10;
constexpr int kWhereColumns = 16;
// Shares, their interval and the blanks between all columns.
constexpr int kFigureColumns = 6 + 12 + 6 + 5 * 2;
// The same of a comparison, with its verdict.
constexpr int kChangeColumns = 6 + 6 + 5 + 14 + 19 + 5 * 2;
constexpr int kLeastNameColumns = 16;

std::string Share(double percent) { return fmt::format("{:.1f}%", percent); }

std::string IntervalText(const std::optional<stats::Interval>& interval) {
  return interval ? fmt::format("{:.1f}–{:.1f}", interval->low, interval->high)
                  : std::string(kUnknown);
}

std::string PointsText(const std::optional<stats::Interval>& interval) {
  return interval
             ? fmt::format("{:+.1f} to {:+.1f}", interval->low, interval->high)
             : std::string(kUnknown);
}

// The end of a name, which tells functions of one namespace apart.
std::string FitEnd(std::string_view text, int width) {
  if (DisplayWidth(text) <= width) {
    return std::string(text);
  }
  while (DisplayWidth(text) > width - 1) {
    (void)TakeCodePoint(&text);
  }
  return "…" + std::string(text);
}

std::string_view LastPart(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// "camera.py:12", "libc.so.6", "kernel".
std::string WhereText(const FunctionUse& use) {
  if (!use.file.empty()) {
    std::string where(LastPart(use.file));
    if (use.first_line > 0) {
      where += ":" + std::to_string(use.first_line);
    }
    return Printable(where);
  }
  return Printable(LastPart(use.module));
}

Cell ChangeCell(Verdict verdict, bool of_time) {
  switch (verdict) {
    case Verdict::kSlower:
      return {of_time ? "slower" : "larger", Tone::kBad};
    case Verdict::kFaster:
      return {of_time ? "faster" : "smaller", Tone::kGood};
    case Verdict::kNoDifference:
      return {"no difference shown", Tone::kDim};
    case Verdict::kInsufficient:
      break;
  }
  return {"not known", Tone::kDim};
}

bool Judged(const FunctionChange& change) {
  return change.self.verdict == Verdict::kSlower ||
         change.self.verdict == Verdict::kFaster;
}

void AddCount(int64_t count, const char* what,
              std::vector<std::string>* notes) {
  if (count > 0) {
    notes->push_back(fmt::format("{} {}", FormatCount(count, "sample"), what));
  }
}

}  // namespace

Table FunctionTable(const StackAnalysis& stacks, size_t most, int width) {
  Table table{{{"function", false, true},
               {"self"},
               {"95% interval"},
               {"total"},
               {"in", false}},
              {}};
  const bool for_terminal = width > 0;
  if (for_terminal) {
    table.columns.push_back({"", false});
  }
  const size_t shown = std::min(most, stacks.functions.size());
  const double largest = shown > 0 ? stacks.functions.front().self_percent : 0;
  int where_width = 2;
  for (size_t i = 0; i < shown; ++i) {
    where_width =
        std::max(where_width, DisplayWidth(WhereText(stacks.functions[i])));
  }
  where_width = std::min(where_width, kWhereColumns);
  const int name_width = std::max(
      kLeastNameColumns, width - kFigureColumns - kBarColumns - where_width);
  for (size_t i = 0; i < shown; ++i) {
    const FunctionUse& use = stacks.functions[i];
    std::string name = Printable(use.name);
    std::string where = WhereText(use);
    if (for_terminal) {
      name = FitEnd(name, name_width);
      where = FitWidth(where, where_width);
    }
    std::vector<Cell> row{
        {std::move(name), use.named ? Tone::kPlain : Tone::kDim},
        {Share(use.self_percent)},
        {IntervalText(use.self_interval)},
        {Share(use.total_percent)},
        {std::move(where)}};
    if (for_terminal && largest > 0) {
      row.push_back({ShareBar(use.self_percent / largest, kBarColumns)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table FunctionChangeTable(const std::vector<FunctionChange>& changes,
                          size_t most, int width) {
  // Times where both sides have them, else shares.
  const bool timed = std::any_of(changes.begin(), changes.end(),
                                 [](const FunctionChange& change) {
                                   return change.self.time.has_value();
                                 });
  Table table{{{"function", false, true},
               {"self A"},
               {"self B"},
               {"B - A"},
               {"95% interval"},
               {timed ? "B is" : "share in B is", false}},
              {}};
  const int name_width = std::max(kLeastNameColumns, width - kChangeColumns);
  const bool only_judged = std::any_of(changes.begin(), changes.end(), Judged);
  for (const FunctionChange& change : changes) {
    if (table.rows.size() == most) {
      break;
    }
    if (only_judged && !Judged(change)) {
      continue;
    }
    const stacks::ShareChange& self = change.self;
    const Cell name{FitEnd(Printable(change.a.name), name_width)};
    if (timed) {
      const stacks::TimeChange time = self.time.value_or(stacks::TimeChange{});
      table.rows.push_back(
          {name,
           {fmt::format("{:.3f} s", time.a_s)},
           {fmt::format("{:.3f} s", time.b_s)},
           {fmt::format("{:+.3f} s", time.b_s - time.a_s)},
           {fmt::format("{:+.3f} to {:+.3f}", time.interval.low,
                        time.interval.high)},
           ChangeCell(self.verdict, /*of_time=*/true)});
      continue;
    }
    table.rows.push_back({name,
                          {Share(self.a_percent)},
                          {Share(self.b_percent)},
                          {fmt::format("{:+.1f}", self.points)},
                          {PointsText(self.interval)},
                          ChangeCell(self.verdict, /*of_time=*/false)});
  }
  return table;
}

std::string SampledText(const StackAnalysis& stacks) {
  const stacks::Collection& collection = stacks.collection;
  std::string text = collection.samples > 0
                         ? FormatCount(collection.samples, "sample")
                         : FormatCount(stacks.total) + " " + collection.unit;
  if (!collection.event.empty()) {
    text += " of " + Printable(collection.event);
  }
  if (collection.rate_hz) {
    text += fmt::format(" at {:g} Hz", *collection.rate_hz);
  }
  return text;
}

std::vector<std::string> StackNotes(const StackAnalysis& stacks) {
  std::vector<std::string> notes;
  if (stacks.off_cpu_percent && *stacks.off_cpu_percent >= 1) {
    notes.push_back(fmt::format(
        "{:.0f}% of the wall time is not covered by CPU time: samples of CPU "
        "time do not show what the program waited for",
        *stacks.off_cpu_percent));
  }
  const std::vector<std::string> more = CollectionNotes(stacks.collection);
  notes.insert(notes.end(), more.begin(), more.end());
  return notes;
}

std::vector<std::string> CollectionNotes(const stacks::Collection& collection) {
  std::vector<std::string> notes;
  AddCount(collection.lost, "lost: the others stand for them", &notes);
  AddCount(collection.truncated,
           "with stacks deeper than what was copied: their callers are missing "
           "(run --stack-size copies more)",
           &notes);
  AddCount(collection.broken,
           "with stacks that end early for want of unwind information", &notes);
  AddCount(collection.python_missed,
           "of a Python process without its functions", &notes);
  for (const std::string& note : collection.notes) {
    notes.push_back(Printable(note));
  }
  return notes;
}

std::string FunctionsText(const StackAnalysis& stacks, size_t most,
                          const TextStyle& style) {
  std::string text = Tint("functions", Tone::kDim, style) + "  " +
                     SampledText(stacks) + "\n\n";
  text += TextTable(FunctionTable(stacks, most, style.width), style);
  if (stacks.functions.size() > most) {
    text += fmt::format(
        "and {} more: see --limit\n",
        FormatCount(static_cast<int64_t>(stacks.functions.size() - most)));
  }
  AppendBlock(&text,
              ItemLines("stacks", StackNotes(stacks), Tone::kDim, style));
  return style.unicode ? text : ToAscii(text);
}

}  // namespace edgewise
