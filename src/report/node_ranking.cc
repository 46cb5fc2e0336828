#include "report/node_ranking.h"

#include <fmt/format.h>

#include "report/figures.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"
#include "report/prediction_text.h"

namespace edgewise {

std::string NodeRankingText(const Query& query,
                            const std::vector<NodeForecast>& ranking,
                            const TextStyle& style) {
  Table table;
  table.columns = {
      {"node", false, true}, {"device", false, true}, {"load"},
      {"predicted"},         {"90% interval"},        {"from", false}};
  std::string unknown;
  for (const NodeForecast& forecast : ranking) {
    if (!forecast.prediction) {
      unknown +=
          WrappedText(forecast.node + ": ", forecast.why_not + ".", style);
      continue;
    }
    const Prediction& p = *forecast.prediction;
    table.rows.push_back(
        {{forecast.node, table.rows.empty() ? Tone::kStrong : Tone::kPlain},
         {p.device},
         {p.load_percent ? fmt::format("{:g}%", *p.load_percent) : "--"},
         {PredictedTime(p)},
         {PredictedInterval(p)},
         {BasisWords(p.basis)}});
  }
  std::string text = Tint(query.name, Tone::kStrong, style) + "\n";
  AppendBlock(&text, TextTable(table, style));
  if (!unknown.empty()) {
    AppendBlock(&text, unknown);
  }
  return text;
}

std::string NodeRankingJson(const Query& query,
                            const std::vector<NodeForecast>& ranking,
                            const std::string& manifest, bool applied) {
  JsonArray nodes;
  for (const NodeForecast& forecast : ranking) {
    JsonObject node;
    node.AddString("node", forecast.node);
    if (forecast.prediction) {
      node.Add("prediction", OnePredictionJson(*forecast.prediction));
    } else {
      node.AddString("why_not", forecast.why_not);
    }
    nodes.Add(node.text());
  }
  return JsonObject()
             .AddString("network", query.name)
             .AddString("node", ranking.front().node)
             .Add("nodes", nodes.text())
             .AddString("manifest", manifest)
             .Add("applied", applied ? "true" : "false")
             .text() +
         "\n";
}

}  // namespace edgewise
