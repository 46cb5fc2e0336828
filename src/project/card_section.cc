// Profiling cards: what each pipeline needs, and on what grounds.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "project/deliverable.h"
#include "project/remake.h"
#include "project/run_files.h"
#include "project/wording.h"
#include "report/figures.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

std::string Number(std::optional<double> value) {
  return value ? Figure(*value) : std::string(kUnknown);
}

// "the bound of p99 at 95% confidence".
std::string WcetGrounds(const Card& card) {
  std::string text(kUnknown);
  switch (card.wcet_kind) {
    case WcetKind::kUnstated:
      break;
    case WcetKind::kObservedMax:
      text = "the largest seen";
      if (card.wcet_exceedance) {
        text += fmt::format("; the next is longer with at most {:.2g}%",
                            100 * *card.wcet_exceedance);
      }
      break;
    case WcetKind::kQuantileBound:
      text = fmt::format("the bound of p{:g} at {:g}% confidence",
                         100 * card.wcet_quantile.value_or(0),
                         100 * card.wcet_confidence.value_or(0));
      break;
    case WcetKind::kPwcet:
      text = fmt::format("exceeded with probability {:g}",
                         card.wcet_exceedance.value_or(0));
      break;
  }
  return text + (card.wcet_time == "cpu" ? ", CPU time" : "");
}

Table FigureTable(const std::vector<ProjectCard>& cards) {
  Table table;
  table.columns = {{"card, ms", false},
                   {"period"},
                   {"deadline"},
                   {"wcet"},
                   {"mean"},
                   {"samples"},
                   {"memory MiB"},
                   {"CPU"},
                   {"wcet is", false}};
  for (const auto& [file, card] : cards) {
    table.rows.push_back({{Printable(card.name), Tone::kStrong},
                          {Number(card.period_ms)},
                          {Number(card.deadline_ms)},
                          {Number(card.wcet_ms)},
                          {Number(card.avg_ms)},
                          {card.evidence ? FormatCount(card.evidence->n)
                                         : std::string(kUnknown)},
                          {Number(card.rss_mb)},
                          {PercentText(card.cpu_share_percent)},
                          {WcetGrounds(card)}});
  }
  return table;
}

std::string WithInterval(const CardQuantile& quantile) {
  if (!quantile.low_ms || !quantile.high_ms) {
    return Figure(quantile.value_ms) + " [insufficient samples]";
  }
  return fmt::format("{} [{}–{}]", Figure(quantile.value_ms),
                     Figure(*quantile.low_ms), Figure(*quantile.high_ms));
}

Table QuantileTable(const std::vector<ProjectCard>& cards) {
  constexpr double kShown[] = {0.5, 0.95, 0.99};
  Table table;
  table.columns = {{"latency, ms", false}, {"p50"}, {"p95"}, {"p99"}};
  for (const auto& [file, card] : cards) {
    if (!card.evidence || card.evidence->quantiles.empty()) {
      continue;
    }
    std::vector<Cell> row{{Printable(card.name), Tone::kStrong}};
    for (const double p : kShown) {
      std::string text(kUnknown);
      for (const CardQuantile& quantile : card.evidence->quantiles) {
        if (quantile.p == p) {
          text = WithInterval(quantile);
        }
      }
      row.push_back({std::move(text)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table NeighbourTable(const std::vector<ProjectCard>& cards) {
  Table table;
  table.columns = {{"beside others, ms", false}, {"alone p50"}, {"p95"},
                   {"worst company", false},     {"p50"},       {"p95"}};
  for (const auto& [file, card] : cards) {
    if (!card.contended) {
      continue;
    }
    const CardContention alone = card.isolated.value_or(CardContention{});
    table.rows.push_back({{Printable(card.name), Tone::kStrong},
                          {Number(alone.p50_ms)},
                          {Number(alone.p95_ms)},
                          {Printable(card.contended->beside)},
                          {Number(card.contended->p50_ms)},
                          {Number(card.contended->p95_ms)}});
  }
  return table;
}

}  // namespace

Result<Deliverable> CardDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "Profiling cards";
  const auto& cards = source.folder.cards;
  if (cards.empty()) {
    deliverable.summary = "There is no card in cards/.";
    deliverable.commands = {
        "edgewise run --label app --duration 60s -- ./app",
        "edgewise card app --period 100ms > cards/app.yaml"};
    return deliverable;
  }
  deliverable.there = true;
  std::vector<std::string> names;
  for (const auto& [file, card] : cards) {
    names.push_back(card.name);
    deliverable.files.push_back(file);
    if (!card.falsified.empty()) {
      deliverable.warnings.push_back("The card of " + card.name +
                                     " does not hold: " + card.falsified);
    }
    if (!card.evidence) {
      deliverable.warnings.push_back("The card of " + card.name +
                                     " says nothing of where it comes from");
      continue;
    }
    deliverable.runs.insert(deliverable.runs.end(), card.evidence->runs.begin(),
                            card.evidence->runs.end());
    for (const Run& run : source.runs.evidence) {
      const auto& ids = card.evidence->runs;
      if (std::find(ids.begin(), ids.end(), run.id) != ids.end()) {
        deliverable.commands.push_back(RunAgain(run));
      }
    }
    deliverable.commands.push_back(CardAgain(card, file.name));
  }
  deliverable.summary =
      FormatCount(std::ssize(cards), "card") + ": " + Listed(names) + ".";
  for (const std::string& id : source.runs.gone) {
    deliverable.warnings.push_back(
        "Run " + id +
        " of a card is not in the store any more, so its records "
        "are not here");
  }
  deliverable.sections.push_back(
      {"",
       "wcet: what one job may take, and on what grounds. Percentiles with 95% "
       "intervals.",
       {FigureTable(cards), QuantileTable(cards), NeighbourTable(cards)},
       {},
       ""});
  return deliverable;
}

}  // namespace edgewise
