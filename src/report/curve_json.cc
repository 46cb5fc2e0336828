#include "experiments/run_figures.h"
#include "report/curve_tables.h"
#include "report/curve_text.h"
#include "report/estimate_json.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

std::string SettingJson(const KnobSetting& setting) {
  JsonObject object;
  for (const KnobValue& knob : setting) {
    object.AddString(knob.name, knob.value);
  }
  return object.text();
}

std::string ComparisonJson(const stats::Comparison& comparison) {
  return JsonObject()
      .AddNumber("ratio", comparison.ratio)
      .AddNumber("low", comparison.low)
      .AddNumber("high", comparison.high)
      .AddString("reason", comparison.reason)
      .text();
}

std::string FitJson(const std::optional<stats::ScalingFit>& fit) {
  if (!fit) {
    return "null";
  }
  return JsonObject()
      .Add("single", EstimateJson(fit->single))
      .Add("serial_share", EstimateJson(fit->serial_share))
      .Add("coherency", EstimateJson(fit->coherency))
      .AddInt("points", fit->points)
      .AddNumber("r_squared", fit->r_squared)
      .AddNumber("residual_percent", fit->residual_percent)
      .AddNumber("aicc", fit->aicc)
      .Add("best_n", EstimateJson(fit->best_n))
      .Add("largest_throughput", EstimateJson(fit->largest_throughput))
      .text();
}

std::string PointJson(const MeasuredPoint& point) {
  JsonObject figures;
  for (const FigureKind kind : AllFigures()) {
    figures.Add(InfoOf(kind).key, EstimateJson(point[kind]));
  }
  JsonObject object;
  object.Add("setting", SettingJson(point.setting))
      .AddStrings("runs", point.runs)
      .AddInt("items", point.items)
      .AddInt("failed", point.failed)
      .AddString("failure", point.failure)
      .AddInt("disturbed", point.disturbed)
      .AddString("disturbance", point.disturbance)
      .Add("figures", figures.text())
      .AddNumber("parallelism", point.parallelism)
      .Add("speed_up",
           point.speed_up ? ComparisonJson(*point.speed_up) : "null")
      .AddNumber("efficiency", point.efficiency);
  return object.text();
}

std::string LawJson(const CurveLaw& law) {
  return JsonObject()
      .AddString("knob", law.knob)
      .Add("fixed", SettingJson(law.fixed))
      .Add("amdahl", FitJson(law.amdahl))
      .Add("universal", FitJson(law.universal))
      .AddString("better", law.better ? stats::ScalingLawName(*law.better) : "")
      .AddString("reason", law.reason)
      .text();
}

std::string ValueJson(const ValueComparison& c) {
  return JsonObject()
      .AddString("knob", c.knob)
      .AddString("value", c.value)
      .AddString("against", c.against)
      .Add("fixed", SettingJson(c.fixed))
      .Add("throughput", ComparisonJson(c.throughput))
      .Add("p50", ComparisonJson(c.p50))
      .Add("memory", ComparisonJson(c.memory))
      .text();
}

template <typename T, typename F>
std::string ArrayOf(const std::vector<T>& items, F json) {
  JsonArray array;
  for (const T& item : items) {
    array.Add(json(item));
  }
  return array.text();
}

}  // namespace

std::string CurveJson(const Curve& curve) {
  std::vector<std::string> notes = curve.notes;
  if (const std::string claim = TailClaimNote(curve); !claim.empty()) {
    notes.push_back(claim);
  }
  return JsonObject()
             .AddString("sweep", curve.group)
             .AddStrings("command", curve.command)
             .AddString("machine", curve.machine)
             .AddString("span", curve.span)
             .Add("points", ArrayOf(curve.points, PointJson))
             .Add("laws", ArrayOf(curve.laws, LawJson))
             .Add("comparisons", ArrayOf(curve.comparisons, ValueJson))
             .AddStrings("advice", curve.advice)
             .AddStrings("notes", notes)
             .text() +
         "\n";
}

}  // namespace edgewise
