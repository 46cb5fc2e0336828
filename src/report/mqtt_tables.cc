#include "report/mqtt_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "report/figures.h"
#include "report/interval_text.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

using mqtt::PipelineCell;
using mqtt::PipelineReport;
using mqtt::Stage;
using mqtt::StageFigures;

std::string ShareText(const std::optional<stats::Estimate>& share) {
  if (!share) {
    return std::string(kUnknown);
  }
  std::string text = fmt::format("{:.1f}%", share->value * 100);
  if (share->low && share->high) {
    text += fmt::format(" [{:.1f}–{:.1f}]", std::max(0.0, *share->low) * 100,
                        *share->high * 100);
  }
  return text;
}

// A one-way time is only as good as the clocks are.
std::string Bounded(std::string text, const StageFigures& figures) {
  if (figures.bound_ns) {
    text += " ±" + MsText(figures.bound_ns);
  }
  return text;
}

Table EmptyStageTable() {
  return {{{"stage, ms", false},
           {"n"},
           {"p50"},
           {"p95"},
           {"p99"},
           {"max"},
           {"share"}},
          {}};
}

Cell StageCell(const StageFigures& figures) {
  return {mqtt::StageName(figures.stage),
          figures.stage == Stage::kTotal ? Tone::kStrong : Tone::kPlain};
}

Cell Counted(std::optional<int64_t> count, Tone tone = Tone::kPlain) {
  return {CountText(count), count.value_or(0) > 0 ? tone : Tone::kPlain};
}

}  // namespace

Table MqttStageTable(const PipelineCell& cell) {
  Table table = EmptyStageTable();
  for (const StageFigures& figures : cell.stages) {
    const auto& ns = figures.ns;
    table.rows.push_back(
        {StageCell(figures),
         {FormatCount(ns.count)},
         {Bounded(MsWithInterval(ns.p50, 0.5), figures)},
         {MsWithInterval(ns.p95, 0.95)},
         {MsWithInterval(ns.p99, 0.99)},
         {MsText(ns.max)},
         {figures.stage == Stage::kTotal ? "100%" : ShareText(figures.share)}});
  }
  return table;
}

Table NarrowMqttStageTable(const PipelineCell& cell) {
  Table table = EmptyStageTable();
  // "0.253 [0.189–7.52]" in two rows.
  const auto split = [](const std::string& text) {
    const size_t at = text.find(" [");
    return at == std::string::npos
               ? std::pair(text, std::string())
               : std::pair(text.substr(0, at),
                           text.substr(at + 2, text.size() - at - 3));
  };
  for (const StageFigures& figures : cell.stages) {
    const auto& ns = figures.ns;
    std::vector<Cell> values{StageCell(figures), {FormatCount(ns.count)}};
    std::vector<Cell> intervals{
        {figures.bound_ns ? "  ±" + MsText(figures.bound_ns) : "", Tone::kDim},
        {}};
    const auto add = [&](const std::string& text) {
      const auto [value, interval] = split(text);
      values.push_back({value});
      intervals.push_back({interval, Tone::kDim});
    };
    add(MsWithInterval(ns.p50, 0.5));
    add(MsWithInterval(ns.p95, 0.95));
    add(MsWithInterval(ns.p99, 0.99));
    add(MsText(ns.max));
    add(figures.stage == Stage::kTotal ? "100%" : ShareText(figures.share));
    table.rows.push_back(std::move(values));
    table.rows.push_back(std::move(intervals));
  }
  return table;
}

std::string MqttStageNote(const PipelineCell& cell) {
  std::string note;
  const bool needs = std::any_of(
      cell.stages.begin(), cell.stages.end(), [](const StageFigures& each) {
        return each.ns.p99 && !each.ns.p99->sufficient();
      });
  if (needs) {
    note +=
        "needs N: insufficient samples; a 95% interval takes N "
        "independent ones. ";
  }
  const bool bounded = std::any_of(
      cell.stages.begin(), cell.stages.end(),
      [](const StageFigures& each) { return each.bound_ns.has_value(); });
  if (bounded) {
    note += "±: what the clocks of different hosts may be wrong by. ";
  }
  if (!note.empty()) {
    note.pop_back();
  }
  return note;
}

Table MqttAccountTable(const PipelineReport& report) {
  Table table{{{"messages", false},
               {"sent"},
               {"received"},
               {"lost"},
               {"duplicated"},
               {"reordered"},
               {"foreign"},
               {"dropped"}},
              {}};
  for (const PipelineCell& cell : report.cells) {
    const mqtt::MessageAccount& account = cell.account;
    table.rows.push_back({{Printable(cell.name), Tone::kStrong},
                          Counted(account.sent),
                          Counted(account.received),
                          Counted(account.lost, Tone::kBad),
                          Counted(account.duplicated, Tone::kWarning),
                          Counted(account.reordered, Tone::kWarning),
                          Counted(account.foreign, Tone::kWarning),
                          Counted(account.dropped, Tone::kBad)});
  }
  return table;
}

Table MqttRoleTable(const PipelineReport& report) {
  Table table{{{"who", false},
               {"in", false, true},
               {"CPU of a core"},
               {"memory"},
               {"reconnects"},
               {"waiting, peak"}},
              {}};
  for (const PipelineCell& cell : report.cells) {
    for (const mqtt::RoleUse& role : cell.roles) {
      table.rows.push_back({{role.name},
                            {Printable(cell.name)},
                            {PercentText(role.cpu_percent)},
                            {role.peak_bytes ? FormatBytes(*role.peak_bytes)
                                             : std::string(kUnknown)},
                            Counted(role.reconnects, Tone::kWarning),
                            {role.waiting_peak ? Figure(*role.waiting_peak)
                                               : std::string(kUnknown)}});
    }
  }
  return table;
}

Table MqttOverview(const PipelineReport& report) {
  Table table{{{"total, ms", false},
               {"p50"},
               {"p99"},
               {"max"},
               {"naive p99"},
               {"ack p50"},
               {"lost"}},
              {}};
  for (const PipelineCell& cell : report.cells) {
    const StageFigures* const total = cell.Find(Stage::kTotal);
    const StageFigures* const naive = cell.Find(Stage::kNaive);
    const StageFigures* const ack = cell.Find(Stage::kAck);
    const StageFigures* const shown = total != nullptr ? total : naive;
    const std::string unknown(kUnknown);
    const auto value = [&unknown](const StageFigures* figures, auto member) {
      const auto known = figures != nullptr ? figures->ns.*member
                                            : std::optional<stats::Estimate>();
      return Cell{known ? MsText(known->value) : unknown};
    };
    using Summary = stats::SpanSummary;
    table.rows.push_back(
        {{Printable(cell.name), Tone::kStrong},
         {shown != nullptr ? MsWithInterval(shown->ns.p50, 0.5) : unknown},
         {shown != nullptr ? MsWithInterval(shown->ns.p99, 0.99) : unknown},
         {shown != nullptr ? MsText(shown->ns.max) : unknown},
         value(naive, &Summary::p99),
         value(ack, &Summary::p50),
         Counted(cell.account.lost, Tone::kBad)});
  }
  return table;
}

std::vector<std::string> MqttConditions(const PipelineCell& cell) {
  std::vector<std::string> pieces;
  for (const auto& [name, value] : cell.run.details) {
    pieces.push_back(Printable(name) + " " + Printable(value));
  }
  return pieces;
}

}  // namespace edgewise
