#include "report/verification_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "orchestration/promise_text.h"
#include "report/orchestration_text.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

using namespace orchestration;  // NOLINT(google-build-using-namespace)

constexpr size_t kMostRows = 40;

std::string Ms(std::optional<double> ns) {
  return ns ? fmt::format("{:.1f}", *ns / 1e6) : "--";
}

std::string Seen(const PromiseSeen& seen) {
  if (seen.verdict == Verdict::kUnknown) {
    return "--";
  }
  return fmt::format("{} [{}, {}]", Ms(seen.quantile_ns), Ms(seen.low_ns),
                     Ms(seen.high_ns));
}

Cell VerdictCell(const PromiseSeen& seen) {
  std::string text(VerdictName(seen.verdict));
  if (seen.verdict == Verdict::kUnknown) {
    return {text, Tone::kDim};
  }
  return {text, seen.verdict == Verdict::kKept    ? Tone::kGood
                : seen.verdict == Verdict::kClose ? Tone::kWarning
                                                  : Tone::kBad};
}

// Broken ones first.
std::vector<size_t> RowsOf(const VerifiedPlacement& placement) {
  std::vector<size_t> rows;
  for (size_t i = 0; i < placement.assignment.size(); ++i) {
    if (placement.assignment[i]) {
      rows.push_back(i);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) {
    const auto broken = [&](size_t i) {
      return placement.seen()[i].verdict == Verdict::kBroken;
    };
    return broken(a) && !broken(b);
  });
  return rows;
}

Table PromiseTable(const Verification& verification,
                   const VerifiedPlacement& placement) {
  const Problem& problem = verification.problem;
  Table table;
  table.columns = {{"request", false},  {"server", false},
                   {"promised", false}, {"predicted, at most"},
                   {"simulated"},       {"measured ms [95%]"},
                   {"", false}};
  const bool measured = !placement.measured.empty();
  if (!measured) {
    table.columns.erase(table.columns.begin() + 5);
    table.columns[4].title = "simulated ms [95%]";
  }
  for (const size_t i : RowsOf(placement)) {
    if (table.rows.size() == kMostRows) {
      break;
    }
    const auto predicted = PredictedOf(problem, placement.assignment, i);
    std::vector<Cell> row = {
        {problem.instance().requests[i].name},
        {problem.instance().servers[*placement.assignment[i]].name},
        {PromiseText(problem.instance().requests[i].sla)},
        {predicted ? Ms(predicted->estimate_ns) + ", " + Ms(predicted->high_ns)
                   : "--"}};
    if (measured) {
      row.push_back({Ms(placement.simulated[i].quantile_ns)});
    }
    row.push_back({Seen(placement.seen()[i])});
    row.push_back(VerdictCell(placement.seen()[i]));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table ComparisonTable(const Verification& verification) {
  Table table;
  table.columns = {{"placed by", false}, {"kept"},    {"broken"},
                   {"not known"},        {"revenue"}, {"of kept promises"}};
  for (const VerifiedPlacement& placement : verification.placements) {
    const VerdictCount count = CountVerdicts(verification, placement);
    table.rows.push_back({{placement.placed_by},
                          {FormatCount(count.kept)},
                          {FormatCount(count.broken),
                           count.broken > 0 ? Tone::kBad : Tone::kPlain},
                          {FormatCount(count.unknown)},
                          {RoundMoney(RevenueMicros(verification.problem,
                                                    placement.assignment))},
                          {RoundMoney(count.kept_micros)}});
  }
  return table;
}

// As the option is written, rounded up: "45s", "12m".
std::string VerifyTime(double seconds) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  return seconds < 2 * kMinute ? fmt::format("{:.0f}s", std::ceil(seconds))
         : seconds < 2 * kHour
             ? fmt::format("{:.0f}m", std::ceil(seconds / kMinute))
             : fmt::format("{:.0f}h", std::ceil(seconds / kHour));
}

// Simulated ÷ measured of every promise that has both, sorted.
std::vector<double> Agreement(const Verification& verification) {
  std::vector<double> ratios;
  for (const VerifiedPlacement& placement : verification.placements) {
    for (size_t i = 0; i < placement.measured.size(); ++i) {
      const auto& measured = placement.measured[i].quantile_ns;
      const auto& simulated = placement.simulated[i].quantile_ns;
      if (measured && simulated && *measured > 0) {
        ratios.push_back(*simulated / *measured);
      }
    }
  }
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

std::string AgreementText(const Verification& verification) {
  const std::vector<double> ratios = Agreement(verification);
  if (ratios.empty()) {
    return "";
  }
  const auto at = [&ratios](double part) {
    return ratios[static_cast<size_t>(
        std::floor(part * static_cast<double>(ratios.size() - 1) + 0.5))];
  };
  return fmt::format(
      "Simulated ÷ measured: median {:.2f}, nine of ten between {:.2f} and "
      "{:.2f} ({}).",
      at(0.5), at(0.05), at(0.95),
      FormatCount(static_cast<int64_t>(ratios.size()), "promise"));
}

}  // namespace

bool Verification::Broken() const {
  const auto broken = BrokenPart(placements.front().seen());
  return broken && *broken > risk() + 1e-9;
}

std::optional<double> Verification::SecondsNeeded() const {
  const VerifiedPlacement& first = placements.front();
  std::optional<double> longest;
  for (size_t i = 0; i < first.assignment.size(); ++i) {
    if (first.assignment[i] && first.seen()[i].verdict == Verdict::kUnknown) {
      const double needed = SecondsForRequests(problem.instance().requests[i],
                                               first.seen()[i].needed);
      longest = std::max(longest.value_or(0), needed);
    }
  }
  return longest;
}

std::string VerificationSummary(const Verification& verification) {
  const VerdictCount count =
      CountVerdicts(verification, verification.placements.front());
  const bool measured = verification.only_simulated.empty();
  std::string text = fmt::format(
      "{} for {:.0f} s: {} of {} kept, {} broken",
      measured ? "Deployed and measured" : "Replayed in the simulator",
      verification.seconds, FormatCount(count.kept),
      FormatCount(count.kept + count.broken, "promise"),
      FormatCount(count.broken));
  if (count.kept + count.broken > 0) {
    text += fmt::format(" ({:.1f}%, the risk is {:.1f}%)",
                        100 * static_cast<double>(count.broken) /
                            static_cast<double>(count.kept + count.broken),
                        100 * verification.risk());
  }
  if (count.unknown > 0) {
    text += "; " + FormatCount(count.unknown) + " cannot be told";
  }
  if (const auto needed = verification.SecondsNeeded()) {
    text += " (too few requests: that would take about --verify-time " +
            VerifyTime(*needed) + ")";
  }
  text += ".";
  if (!measured) {
    text += " Nothing was deployed: " + verification.only_simulated + ".";
  }
  return text;
}

std::vector<Table> VerificationTables(const Verification& verification) {
  std::vector<Table> tables;
  if (verification.placements.size() > 1) {
    tables.push_back(ComparisonTable(verification));
  }
  tables.push_back(PromiseTable(verification, verification.placements.front()));
  return tables;
}

std::string VerificationText(const Verification& verification,
                             const TextStyle& style) {
  std::string text = WrappedText("", VerificationSummary(verification), style);
  if (const std::string agreement = AgreementText(verification);
      !agreement.empty()) {
    text += WrappedText("", agreement, style);
  }
  for (const Table& table : VerificationTables(verification)) {
    AppendBlock(&text, TextTable(table, style));
  }
  const size_t rows = RowsOf(verification.placements.front()).size();
  if (rows > kMostRows) {
    text += fmt::format("… and {} more promises: --json names all\n",
                        rows - kMostRows);
  }
  return text;
}

}  // namespace edgewise
