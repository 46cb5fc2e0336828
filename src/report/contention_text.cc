#include "report/contention_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "contention/simulator.h"
#include "report/estimate_json.h"
#include "report/figures.h"
#include "report/json_text.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

using contention::Campaign;
using contention::ContentionEvaluation;
using contention::FigureErrors;
using contention::kFigureNames;
using contention::kFigures;
using contention::kP95;
using contention::PredictorErrors;

std::string Percent(std::optional<double> share) {
  if (!share) {
    return std::string(kUnknown);
  }
  return std::isfinite(*share) ? fmt::format("{:.1f}%", 100 * *share) : "∞";
}

// "20.0% [17.1–22.4]".
std::string PercentWithInterval(const std::optional<stats::Estimate>& share) {
  return share ? fmt::format("{} [{:.1f}–{:.1f}]", Percent(share->value),
                             100 * *share->low, 100 * *share->high)
               : "insufficient samples";
}

std::string RatioWithInterval(const std::optional<stats::Estimate>& ratio) {
  return ratio ? fmt::format("{:.2f} [{:.2f}–{:.2f}]", ratio->value,
                             *ratio->low, *ratio->high)
               : std::string(kUnknown);
}

std::string Factors(const std::optional<IntervalWidth>& width) {
  return width ? fmt::format("×{:.2f}–{:.2f}", std::exp(-width->below),
                             std::exp(width->above))
               : std::string(kUnknown);
}

std::string NoiseText(const contention::RepeatNoise& noise) {
  if (noise.pairs == 0) {
    return "unknown, since no deployment was measured twice: edgewise contend "
           "random --repeat does that";
  }
  std::vector<std::string> parts;
  for (size_t f = 0; f < kFigures; ++f) {
    parts.push_back(std::string(kFigureNames[f]) + " " +
                    Percent(noise.median_ape[f]));
  }
  return "two measurements of one deployment differ by " + Join(parts, ", ") +
         " (median of " + FormatCount(noise.pairs, "pair") + ")";
}

// What the first predictor reaches, in a sentence.
std::string Verdict(const ContentionEvaluation& evaluation) {
  const PredictorErrors& ours = evaluation.predictors.front();
  const FigureErrors& p95 = ours.figures[kP95];
  if (!p95.median_ape) {
    return "There are too few figures of p95 to judge: measure more random "
           "deployments, or each for longer.";
  }
  std::string text = fmt::format(
      "The {} model misses p95 of deployments it has not seen by "
      "{} (median)",
      ours.name, Percent(p95.median_ape->value));
  if (const auto& noise = evaluation.noise.median_ape[kP95]) {
    text += fmt::format(", {:.2f} times what two measurements differ by",
                        p95.median_ape->value / *noise);
  }
  if (p95.against_published) {
    text += fmt::format(", and {:.0f}% {} than the best published predictor",
                        100 * std::abs(1 - p95.against_published->value),
                        p95.against_published->value < 1 ? "less" : "more");
  }
  text += ".";
  if (ours.saturated > 0) {
    text += fmt::format(" Of {} that did not keep up it foretold {}.",
                        FormatCount(ours.saturated, "tenant"), ours.foretold);
  }
  if (ours.with_quota_median_ape) {
    text += fmt::format(" Of {} with a quota it misses p95 by {}.",
                        FormatCount(ours.with_quota, "tenant"),
                        Percent(ours.with_quota_median_ape));
  }
  return text;
}

// How far the simulator of placements is to be believed; empty: not known.
std::string SimulatorText(const ContentionEvaluation& evaluation) {
  for (const PredictorErrors& predictor : evaluation.predictors) {
    const auto& ratio = predictor.figures[kP95].median_ratio;
    if (predictor.name == contention::kSimulatorName && ratio) {
      return fmt::format(
          "The simulator of edgewise place --verify gives {} times the "
          "measured p95 of deployments it has not seen (median).",
          RatioWithInterval(ratio));
    }
  }
  return "";
}

// Each as [deployment, app, measured ms, predicted ms].
std::string ForecastsJson(const FigureErrors& errors,
                          const Campaign& campaign) {
  JsonArray all;
  for (const contention::Forecast& forecast : errors.held_out) {
    const auto& of = campaign.observations[forecast.observation];
    const size_t app = of.deployment.tenants[forecast.tenant].app;
    all.Add(JsonArray()
                .Add(JsonString(of.id))
                .Add(JsonString(campaign.apps[app].name))
                .AddNumber(forecast.measured_ms)
                .AddNumber(forecast.predicted_ms)
                .text());
  }
  return all.text();
}

std::string FigureJson(const FigureErrors& errors, const Campaign& campaign) {
  JsonObject json;
  json.AddInt("forecasts", errors.forecasts)
      .Add("median_ape", EstimateJson(errors.median_ape))
      .AddNumber("p90_ape", errors.p90_ape)
      .Add("median_ratio", EstimateJson(errors.median_ratio))
      .AddNumber("coverage_90", errors.coverage)
      .Add("against_published", EstimateJson(errors.against_published));
  if (errors.width) {
    json.AddNumber("low_factor", std::exp(-errors.width->below))
        .AddNumber("high_factor", std::exp(errors.width->above));
  }
  json.Add("held_out", ForecastsJson(errors, campaign));
  return json.text();
}

std::vector<std::string> NamesOf(const Campaign& campaign) {
  std::vector<std::string> names;
  for (const contention::Server& server : campaign.servers) {
    names.push_back(server.name);
  }
  return names;
}

}  // namespace

Table ContentionErrorTable(const std::vector<PredictorErrors>& predictors) {
  Table table;
  table.columns = {{"predictor", false}, {"of", false},  {"tenants"},
                   {"median error"},     {"9 of 10"},    {"in 90%"},
                   {"interval"},         {"÷ published"}};
  for (const PredictorErrors& predictor : predictors) {
    const Tone tone = predictor.published ? Tone::kDim : Tone::kPlain;
    for (size_t f = 0; f < kFigures; ++f) {
      const FigureErrors& errors = predictor.figures[f];
      table.rows.push_back(
          {{f == 0 ? predictor.name : "", tone},
           {kFigureNames[f], tone},
           {FormatCount(errors.forecasts), tone},
           {PercentWithInterval(errors.median_ape), tone},
           {Percent(errors.p90_ape), tone},
           {Percent(errors.coverage), tone},
           {Factors(errors.width), tone},
           {RatioWithInterval(errors.against_published), tone}});
    }
  }
  return table;
}

std::string ContentionText(const ContentionEvaluation& evaluation,
                           const Campaign& campaign, const TextStyle& style) {
  std::string text =
      FormatCount(evaluation.random_deployments, "random deployment") + " of " +
      FormatCount(static_cast<int64_t>(campaign.apps.size()), "app") + " on " +
      Join(NamesOf(campaign), ", ") + ", held out in " +
      FormatCount(evaluation.folds, "part") + "; " +
      FormatCount(evaluation.other_deployments, "other") + " always known\n";
  text += WrappedText("noise floor: ", NoiseText(evaluation.noise), style);
  AppendBlock(&text,
              TextTable(ContentionErrorTable(evaluation.predictors), style));
  AppendBlock(&text, WrappedText("", Verdict(evaluation), style));
  if (const std::string simulator = SimulatorText(evaluation);
      !simulator.empty()) {
    AppendBlock(&text, WrappedText("", simulator, style));
  }
  AppendBlock(
      &text,
      WrappedText(
          "",
          "Errors of response times are relative to the measured time; "
          "nine of ten are below the second figure. \"in 90%\": how many "
          "fell within intervals made from the other deployments. \"÷ "
          "published\": the median error over that of PERX or ScalO-RAN, "
          "whichever is lower.",
          style));
  return text;
}

std::string ContentionJson(const ContentionEvaluation& evaluation,
                           const Campaign& campaign) {
  JsonArray predictors;
  for (const PredictorErrors& predictor : evaluation.predictors) {
    JsonObject json;
    json.AddString("name", predictor.name)
        .Add("published", predictor.published ? "true" : "false")
        .AddInt("saturated", predictor.saturated)
        .AddInt("foretold", predictor.foretold)
        .AddInt("with_quota", predictor.with_quota)
        .AddNumber("with_quota_median_ape_p95",
                   predictor.with_quota_median_ape);
    for (size_t f = 0; f < kFigures; ++f) {
      json.Add(kFigureNames[f], FigureJson(predictor.figures[f], campaign));
    }
    predictors.Add(json.text());
  }
  JsonObject noise;
  noise.AddInt("pairs", evaluation.noise.pairs);
  for (size_t f = 0; f < kFigures; ++f) {
    noise.AddNumber(kFigureNames[f], evaluation.noise.median_ape[f]);
  }
  return JsonObject()
             .AddStrings("servers", NamesOf(campaign))
             .AddInt("apps", static_cast<int64_t>(campaign.apps.size()))
             .AddInt("random_deployments", evaluation.random_deployments)
             .AddInt("other_deployments", evaluation.other_deployments)
             .AddInt("folds", evaluation.folds)
             .Add("noise_floor", noise.text())
             .Add("predictors", predictors.text())
             .text() +
         "\n";
}

}  // namespace edgewise
