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

// "12.3 [8.10–20.4]".
std::string MsText(const stats::Estimate& ms) {
  return ms.sufficient() ? fmt::format("{} [{}–{}]", Figure(ms.value),
                                       Figure(*ms.low), Figure(*ms.high))
                         : Figure(ms.value);
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
      {"tenant", false}, {"replicas"}, {"rate of each/s"}, {"quota cores"}};
  for (const char* figure : kFigureNames) {
    table.columns.push_back({figure});
  }
  bool all_keep_up = true;
  for (size_t t = 0; t < forecast.tenants.size(); ++t) {
    const Tenant& tenant = forecast.deployment.tenants[t];
    std::vector<Cell> row = {
        {campaign.apps[tenant.app].name},
        {FormatCount(tenant.replicas)},
        {Figure(tenant.rate_per_s)},
        {tenant.quota_cores ? Figure(*tenant.quota_cores) : "none",
         tenant.quota_cores ? Tone::kPlain : Tone::kDim}};
    for (size_t f = 0; f < kFigures; ++f) {
      row.push_back(forecast.tenants[t]
                        ? Cell{MsText((*forecast.tenants[t])[f])}
                        : Cell{"never", Tone::kBad});
    }
    all_keep_up = all_keep_up && forecast.tenants[t];
    table.rows.push_back(std::move(row));
  }
  text += TextTable(table, style);
  AppendBlock(&text, WrappedText("", Sureness(forecast), style));
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
             .Add("median_error_p95", EstimateJson(forecast.error))
             .Add("tenants", tenants.text())
             .text() +
         "\n";
}

}  // namespace edgewise
