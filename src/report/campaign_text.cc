#include "report/campaign_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/units.h"
#include "report/figures.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"

namespace edgewise {
namespace {

using tenants::CampaignEnd;
using tenants::Kind;
using tenants::Measured;

struct TenantSummary {
  std::set<std::string> deployments;
  int64_t requests = 0;
  int64_t censored = 0;
  int64_t dropped = 0;
  const Measured* alone = nullptr;  // its least loaded baseline
  double longest_p95_ms = 0;
};

std::map<std::string, TenantSummary> Summarise(
    const std::vector<Measured>& rows) {
  std::map<std::string, TenantSummary> tenants;
  for (const Measured& row : rows) {
    TenantSummary& tenant = tenants[row.tenant];
    tenant.deployments.insert(row.deployment);
    tenant.requests += row.arrived;
    tenant.censored += row.censored;
    tenant.dropped += row.dropped;
    tenant.longest_p95_ms =
        std::max(tenant.longest_p95_ms, row.response_p95_ms.value_or(0));
    if (row.kind == Kind::kBaseline &&
        (tenant.alone == nullptr ||
         row.rate_per_s < tenant.alone->rate_per_s)) {
      tenant.alone = &row;
    }
  }
  return tenants;
}

std::string MsText(std::optional<double> ms) {
  return ms ? Figure(*ms) : std::string(kUnknown);
}

Table TenantTable(const std::vector<Measured>& rows) {
  Table table;
  table.columns = {{"tenant", false}, {"deployments"},   {"requests"},
                   {"censored"},      {"dropped"},       {"service alone ms"},
                   {"p95 alone ms"},  {"longest p95 ms"}};
  for (const auto& [name, tenant] : Summarise(rows)) {
    table.rows.push_back(
        {{name},
         {std::to_string(tenant.deployments.size())},
         {FormatCount(tenant.requests)},
         {FormatCount(tenant.censored)},
         {FormatCount(tenant.dropped)},
         {MsText(tenant.alone != nullptr ? tenant.alone->service_mean_ms
                                         : std::nullopt)},
         {MsText(tenant.alone != nullptr ? tenant.alone->response_p95_ms
                                         : std::nullopt)},
         {tenant.longest_p95_ms > 0 ? Figure(tenant.longest_p95_ms)
                                    : std::string(kUnknown)}});
  }
  return table;
}

std::map<Kind, size_t> CountByKind(const std::vector<Measured>& rows) {
  std::map<Kind, std::set<std::string>> ids;
  for (const Measured& row : rows) {
    ids[row.kind].insert(row.deployment);
  }
  std::map<Kind, size_t> counts;
  for (const auto& [kind, some] : ids) {
    counts[kind] = some.size();
  }
  return counts;
}

std::string_view EndName(CampaignEnd end) {
  switch (end) {
    case CampaignEnd::kPlanDone:
      return "plan-done";
    case CampaignEnd::kTargetReached:
      return "target-reached";
    case CampaignEnd::kBudgetSpent:
      return "budget-spent";
    case CampaignEnd::kCancelled:
      break;
  }
  return "cancelled";
}

std::string ErrorText(std::optional<double> error) {
  return error ? fmt::format(
                     "predictions of p95 are off by {:.0f}% at the "
                     "median",
                     *error * 100)
               : "too few deployments yet to say how good predictions are";
}

std::string EndSentence(const tenants::CampaignRequest& request,
                        const tenants::CampaignReport& report) {
  switch (report.end) {
    case CampaignEnd::kPlanDone:
      return "All that was planned is measured.";
    case CampaignEnd::kTargetReached:
      return fmt::format("The target of {:.0f}% is reached: {}.",
                         request.target * 100, ErrorText(report.error));
    case CampaignEnd::kBudgetSpent:
      return request.mode == Kind::kRandom
                 ? "The budget is spent: " + ErrorText(report.error) +
                       ". A larger --budget goes on from here."
                 : "The budget is spent before all was measured. A larger "
                   "--budget goes on from here.";
    case CampaignEnd::kCancelled:
      break;
  }
  return "";
}

}  // namespace

std::string CampaignText(const tenants::CampaignRequest& request,
                         const tenants::CampaignReport& report,
                         const TextStyle& style) {
  std::vector<std::string> pieces{
      "campaign " + request.out.string(),
      fmt::format("server {} on cores {}", request.server.name,
                  FormatCpuList(request.server.cpus)),
      FormatCount(static_cast<int64_t>(report.measured), "deployment") +
          " in " + FormatDuration(report.elapsed_s * 1e9)};
  for (const auto& [kind, count] : CountByKind(report.campaign.rows)) {
    pieces.push_back(fmt::format("{} {} in all", count, KindName(kind)));
  }
  std::string text = WrappedPieces("", pieces, style);
  AppendBlock(&text, TextTable(TenantTable(report.campaign.rows), style, 2));
  if (const std::string end = EndSentence(request, report); !end.empty()) {
    AppendBlock(&text, WrappedText("", end, style));
  }
  AppendBlock(&text,
              ItemLines("warnings", report.warnings, Tone::kWarning, style));
  return text;
}

std::string CampaignJson(const tenants::CampaignRequest& request,
                         const tenants::CampaignReport& report) {
  JsonObject counts;
  for (const auto& [kind, count] : CountByKind(report.campaign.rows)) {
    counts.AddInt(KindName(kind), static_cast<int64_t>(count));
  }
  return JsonObject()
             .AddString("folder", request.out.string())
             .AddString("server", request.server.name)
             .AddString("cpus", FormatCpuList(request.server.cpus))
             .AddString("mode", KindName(request.mode))
             .AddInt("measured", static_cast<int64_t>(report.measured))
             .AddNumber("elapsed_s", report.elapsed_s)
             .AddString("end", EndName(report.end))
             .AddNumber("error", report.error)
             .Add("deployments", counts.text())
             .AddStrings("warnings", report.warnings)
             .text() +
         "\n";
}

std::string CampaignProgressText(const tenants::CampaignProgress& at) {
  return fmt::format(
      "{} of about {}, {} left{}: {}", at.done + 1,
      std::max(at.steps, at.done + 1),
      FormatDuration(static_cast<double>(at.left_ns)),
      at.error ? fmt::format(", predictions off by {:.0f}%", *at.error * 100)
               : "",
      at.what);
}

}  // namespace edgewise
