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

constexpr int kBarColumns = 12;

std::string Share(double percent) { return fmt::format("{:.1f}%", percent); }

std::string IntervalText(const std::optional<stats::Interval>& interval) {
  return interval ? fmt::format("{:.1f}–{:.1f}", interval->low, interval->high)
                  : std::string(kUnknown);
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

Cell ChangeCell(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSlower:
      return {"larger", Tone::kBad};
    case Verdict::kFaster:
      return {"smaller", Tone::kGood};
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

Table FunctionTable(const StackAnalysis& stacks, size_t most, bool bars) {
  Table table{{{"function", false, true},
               {"self"},
               {"95% interval"},
               {"total"},
               {"in", false, true}},
              {}};
  if (bars) {
    table.columns.push_back({"", false});
  }
  const size_t shown = std::min(most, stacks.functions.size());
  const double largest = shown > 0 ? stacks.functions.front().self_percent : 0;
  for (size_t i = 0; i < shown; ++i) {
    const FunctionUse& use = stacks.functions[i];
    std::vector<Cell> row{
        {Printable(use.name), use.named ? Tone::kPlain : Tone::kDim},
        {Share(use.self_percent)},
        {IntervalText(use.self_interval)},
        {Share(use.total_percent)},
        {WhereText(use)}};
    if (bars && largest > 0) {
      row.push_back({ShareBar(use.self_percent / largest, kBarColumns)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table FunctionChangeTable(const std::vector<FunctionChange>& changes,
                          size_t most) {
  Table table{{{"function", false, true},
               {"self A"},
               {"self B"},
               {"B - A"},
               {"95% interval"},
               {"total A"},
               {"total B"},
               {"share in B is", false}},
              {}};
  const bool only_judged = std::any_of(changes.begin(), changes.end(), Judged);
  for (const FunctionChange& change : changes) {
    if (table.rows.size() == most) {
      break;
    }
    if (only_judged && !Judged(change)) {
      continue;
    }
    table.rows.push_back({{Printable(change.a.name)},
                          {Share(change.self.a_percent)},
                          {Share(change.self.b_percent)},
                          {fmt::format("{:+.1f}", change.self.points)},
                          {IntervalText(change.self.interval)},
                          {Share(change.total.a_percent)},
                          {Share(change.total.b_percent)},
                          ChangeCell(change.self.verdict)});
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
  const stacks::Collection& collection = stacks.collection;
  std::vector<std::string> notes;
  if (stacks.off_cpu_percent && *stacks.off_cpu_percent >= 1) {
    notes.push_back(fmt::format(
        "{:.0f}% of the wall time is not covered by CPU time: samples of CPU "
        "time do not show what the program waited for",
        *stacks.off_cpu_percent));
  }
  AddCount(collection.lost, "lost: the others stand for them", &notes);
  AddCount(collection.truncated,
           "with stacks deeper than what was copied: their callers are missing",
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
  text += TextTable(FunctionTable(stacks, most, /*bars=*/true), style);
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
