#include "report/mqtt_text.h"

#include "report/experiment_page.h"
#include "report/mqtt_matrix.h"
#include "report/mqtt_tables.h"
#include "report/mqtt_waterfall.h"
#include "report/paragraphs.h"
#include "report/utf8.h"

namespace edgewise {

using mqtt::PipelineCell;
using mqtt::PipelineReport;

std::string MqttText(const PipelineReport& report, const TextStyle& style) {
  std::string text;
  for (const PipelineCell& cell : report.cells) {
    AppendBlock(&text,
                WrappedPieces("",
                              {Tint(Printable(cell.name), Tone::kStrong, style),
                               "run " + cell.run.id},
                              style));
    const Table stages = MqttStageTable(cell);
    text += TextTable(TextTableWidth(stages, 2) <= style.width
                          ? stages
                          : NarrowMqttStageTable(cell),
                      style, 2);
    if (const std::string note = MqttStageNote(cell); !note.empty()) {
      text += WrappedText("  ", note, style);
    }
    AppendBlock(&text, WaterfallText(cell, style));
  }
  if (report.cells.size() > 1) {
    AppendBlock(&text, TextTable(MqttOverview(report), style, 2));
  }
  AppendBlock(&text,
              TextTable(MqttMatrixTable(MqttMatrixOf(report)), style, 2));
  AppendBlock(&text, TextTable(MqttAccountTable(report), style, 2));
  AppendBlock(&text, TextTable(MqttRoleTable(report), style, 2));
  if (!report.cells.empty()) {
    AppendBlock(&text, WrappedPieces("  ", MqttConditions(report.cells.front()),
                                     style));
  }
  AppendBlock(&text,
              ItemLines("what it says", report.advice, Tone::kPlain, style));
  return text;
}

std::string MqttHtml(const PipelineReport& report) {
  ExperimentPage page;
  page.title = "MQTT: where the milliseconds go";
  page.advice = report.advice;
  if (!report.cells.empty()) {
    for (const char* name : {"broker", "broker_version", "mqtt_version", "tls",
                             "tcp_nodelay", "rate_per_s", "work"}) {
      const auto& details = report.cells.front().run.details;
      if (const auto found = details.find(name); found != details.end()) {
        page.facts.emplace_back(name, found->second);
      }
    }
  }
  const MqttMatrix matrix = MqttMatrixOf(report);
  if (!matrix.columns.empty()) {
    page.sections.push_back({"Quality of service and impairments",
                             "",
                             {MqttMatrixTable(matrix)},
                             {MqttMatrixSvg(matrix)},
                             ""});
  }
  if (report.cells.size() > 1) {
    page.sections.push_back({"All measurements",
                             "Total: from when a message was due to the "
                             "consumer. Naive: from its publish call.",
                             {MqttOverview(report)},
                             {},
                             ""});
  }
  for (const PipelineCell& cell : report.cells) {
    PageSection section;
    section.heading = cell.name;
    section.text = MqttStageNote(cell);
    section.tables.push_back(MqttStageTable(cell));
    if (std::string picture = WaterfallSvg(cell); !picture.empty()) {
      section.charts.push_back(std::move(picture));
    }
    for (const std::string& piece : MqttConditions(cell)) {
      section.code += piece + "\n";
    }
    page.sections.push_back(std::move(section));
  }
  page.sections.push_back({"Messages",
                           "Lost: sent and never received.",
                           {MqttAccountTable(report)},
                           {},
                           ""});
  page.sections.push_back({"CPU and memory",
                           "CPU over the whole Run, in percent of one core; "
                           "the largest resident memory seen.",
                           {MqttRoleTable(report)},
                           {},
                           ""});
  page.footer = "edgewise mqtt show " + report.group;
  return ExperimentHtml(page);
}

std::vector<std::pair<std::string, std::string>> MqttPictures(
    const PipelineReport& report) {
  std::vector<std::pair<std::string, std::string>> pictures;
  size_t number = 0;
  for (const PipelineCell& cell : report.cells) {
    ++number;
    if (std::string picture = WaterfallSvg(cell); !picture.empty()) {
      pictures.emplace_back("waterfall-" + std::to_string(number),
                            std::move(picture));
    }
  }
  if (std::string picture = MqttMatrixSvg(MqttMatrixOf(report));
      !picture.empty()) {
    pictures.emplace_back("matrix", std::move(picture));
  }
  return pictures;
}

}  // namespace edgewise
