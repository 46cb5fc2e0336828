#include "report/forecast_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "report/estimate_json.h"
#include "report/figures.h"
#include "report/json_text.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

using contention::Campaign;
using contention::DeploymentForecast;
using contention::kFigureNames;
using contention::kFigures;
using contention::Tenant;

// "2 × 20/s, quota 0.4".
std::string AskedText(const Tenant& tenant) {
  std::string text = tenant.replicas > 1 ? FormatCount(tenant.replicas) + " × "
                                         : std::string();
  text += fmt::format("{:g}/s", tenant.rate_per_s);
  return tenant.quota_cores
             ? fmt::format("{}, quota {:g}", text, *tenant.quota_cores)
             : text;
}

std::string IntervalText(const stats::Estimate& ms) {
  return ms.sufficient() ? Figure(*ms.low) + "–" + Figure(*ms.high)
                         : std::string(kUnknown);
}

std::string Sureness(const DeploymentForecast& forecast) {
  if (!forecast.error) {
    return "No intervals: too few random deployments were measured to know how "
           "far forecasts are off. edgewise contend random measures more.";
  }
  return fmt::format(
      "Response times in ms, waiting included, with 90% intervals. Forecasts "
      "of "
      "p95 are off by {:.0f}% at the median, of deployments that were held "
      "out.",
      100 * forecast.error->value);
}

}  // namespace

std::string ForecastText(const DeploymentForecast& forecast,
                         const Campaign& campaign, const TextStyle& style) {
  const contention::Server& server =
      campaign.servers[forecast.deployment.server];
  std::string text = fmt::format("on {} ({} {})\n\n", server.name, server.cores,
                                 server.cores == 1 ? "core" : "cores");
  Table table;
  table.columns = {
      {"tenant", false}, {"asked", false}, {"of", false}, {"ms"}, {"90%"}};
  bool all_keep_up = true;
  for (size_t t = 0; t < forecast.tenants.size(); ++t) {
    const Tenant& tenant = forecast.deployment.tenants[t];
    const std::string& name = campaign.apps[tenant.app].name;
    if (!forecast.tenants[t]) {
      all_keep_up = false;
      table.rows.push_back(
          {{name}, {AskedText(tenant)}, {"all"}, {"never", Tone::kBad}});
      continue;
    }
    for (size_t f = 0; f < kFigures; ++f) {
      const stats::Estimate& ms = (*forecast.tenants[t])[f];
      table.rows.push_back({{f == 0 ? name : ""},
                            {f == 0 ? AskedText(tenant) : ""},
                            {kFigureNames[f]},
                            {Figure(ms.value)},
                            {IntervalText(ms), Tone::kDim}});
    }
  }
  text += TextTable(table, style);
  AppendBlock(&text, WrappedText("", Sureness(forecast), style));
  const double wanted = forecast.wanted_cores;
  if (all_keep_up && wanted >= server.cores) {
    AppendBlock(&text,
                WrappedText("",
                            fmt::format("Together they want {} cores, which is "
                                        "more than there are: one of them will "
                                        "not keep up.",
                                        Figure(wanted)),
                            style));
  }
  if (!all_keep_up) {
    AppendBlock(&text, WrappedText("",
                                   "\"never\": requests come faster than they "
                                   "are answered, so the queue grows.",
                                   style));
  }
  return text;
}

std::string ForecastJson(const DeploymentForecast& forecast,
                         const Campaign& campaign) {
  JsonArray tenants;
  for (size_t t = 0; t < forecast.tenants.size(); ++t) {
    const Tenant& tenant = forecast.deployment.tenants[t];
    JsonObject json;
    json.AddString("tenant", campaign.apps[tenant.app].name)
        .AddInt("replicas", tenant.replicas)
        .AddNumber("rate_per_s", tenant.rate_per_s)
        .AddNumber("quota_cores", tenant.quota_cores)
        .Add("keeps_up", forecast.tenants[t] ? "true" : "false");
    for (size_t f = 0; f < kFigures; ++f) {
      json.Add(std::string(kFigureNames[f]) + "_ms",
               EstimateJson(forecast.tenants[t]
                                ? std::optional((*forecast.tenants[t])[f])
                                : std::nullopt));
    }
    tenants.Add(json.text());
  }
  return JsonObject()
             .AddString("server",
                        campaign.servers[forecast.deployment.server].name)
             .AddNumber("wanted_cores", forecast.wanted_cores)
             .Add("median_error_p95", EstimateJson(forecast.error))
             .Add("tenants", tenants.text())
             .text() +
         "\n";
}

}  // namespace edgewise
