#include "report/prediction_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

std::string Time(double ms) { return FormatDuration(ms * 1e6); }

Table RankingTable(const std::vector<Prediction>& ranking, size_t most) {
  Table table;
  table.columns = {{"device", false, true},
                   {"threads"},
                   {"predicted"},
                   {"90% interval"},
                   {"from", false}};
  for (size_t i = 0; i < std::min(most, ranking.size()); ++i) {
    const Prediction& p = ranking[i];
    table.rows.push_back({{p.device + (p.note.empty() ? "" : " " + p.note),
                           i == 0 ? Tone::kStrong : Tone::kPlain},
                          {std::to_string(p.threads)},
                          {PredictedTime(p)},
                          {PredictedInterval(p)},
                          {BasisWords(p.basis)}});
  }
  return table;
}

}  // namespace

std::string PredictedTime(const Prediction& prediction) {
  return Time(prediction.ms);
}

std::string PredictedInterval(const Prediction& prediction) {
  return prediction.low_ms && prediction.high_ms
             ? Time(*prediction.low_ms) + " – " + Time(*prediction.high_ms)
             : std::string("insufficient samples");
}

std::string BasisWords(Basis basis) {
  switch (basis) {
    case Basis::kKnownDevice:
      return "measured device";
    case Basis::kCalibrated:
    case Basis::kCalibratedNewNetwork:
      return "calibrated device";
    case Basis::kSpecOnly:
      return "spec only";
    case Basis::kCoarse:
      return "eight fields only";
  }
  return "";
}

std::string OnePredictionJson(const Prediction& p) {
  JsonObject json;
  json.AddString("device", p.device)
      .AddString("run", p.run)
      .AddString("note", p.note)
      .AddInt("threads", p.threads)
      .AddNumber("predicted_ms", p.ms);
  JsonArray interval;
  interval.AddNumber(p.low_ms).AddNumber(p.high_ms);
  return json.Add("interval_90_ms", interval.text())
      .AddNumber("load_percent", p.load_percent)
      .AddString("basis", BasisName(p.basis))
      .Add("out_of_distribution", p.out_of_distribution ? "true" : "false")
      .text();
}
std::string PredictionText(const Query& query,
                           const std::vector<Prediction>& ranking, size_t most,
                           const TextStyle& style) {
  std::string text = Tint(query.name, Tone::kStrong, style) +
                     (!ranking.empty() && ranking[0].load_percent
                          ? fmt::format(", beside {:g}% of other load",
                                        *ranking[0].load_percent)
                          : "") +
                     "\n";
  AppendBlock(&text, TextTable(RankingTable(ranking, most), style));
  if (ranking.size() > most) {
    text += Tint(FormatCount(static_cast<int64_t>(ranking.size() - most)) +
                     " slower ones not shown (--all)",
                 Tone::kDim, style) +
            "\n";
  }
  if (!ranking.empty() && ranking[0].out_of_distribution) {
    AppendBlock(&text,
                WrappedText("",
                            "This network is unlike all that the model has "
                            "seen: take the times as a direction, not as "
                            "figures, and measure one device.",
                            style));
  } else if (ranking.size() > 1 && ranking[0].device != ranking[1].device &&
             ranking[0].high_ms && ranking[1].low_ms &&
             *ranking[0].high_ms > *ranking[1].low_ms) {
    AppendBlock(&text,
                WrappedText("",
                            "The intervals of the first ones overlap: most of "
                            "that is the network's own uncertainty, which "
                            "devices share, but near ones may change places.",
                            style));
  }
  return text;
}

std::string PredictionJson(const LatencyModel& model, const Query& query,
                           const std::vector<Prediction>& ranking) {
  JsonArray list;
  for (const Prediction& prediction : ranking) {
    list.Add(OnePredictionJson(prediction));
  }
  return JsonObject()
             .AddString("network", query.name)
             .AddString("trained_on", model.source)
             .AddString("data_digest", model.data_digest)
             .Add("ranking", list.text())
             .text() +
         "\n";
}

}  // namespace edgewise
