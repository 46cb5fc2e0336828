#include "tenants/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "tenants/csv_rows.h"

namespace edgewise::tenants {
namespace {

constexpr std::string_view kMeasuredColumns =
    "deployment,kind,repeat_of,server,cores,tenant,replicas,rate_per_s,"
    "quota_cores,stressor,dial,seconds,arrived,completed,censored,dropped,"
    "service_mean_ms,service_sd_ms,response_mean_ms,response_p50_ms,"
    "response_p75_ms,response_p95_ms,response_p99_ms,queueing_mean_ms,"
    "cpu_cores,memory_bytes";
constexpr std::string_view kRequestColumns =
    "service,replica,arrival_s,departure_s,interarrival_s,queueing_s,"
    "queue_length,censored";

constexpr std::array<std::pair<Kind, std::string_view>, 4> kKinds{
    {{Kind::kBaseline, "baseline"},
     {Kind::kPairwise, "pairwise"},
     {Kind::kRandom, "random"},
     {Kind::kSensitivity, "sensitivity"}}};

// Microseconds are as fine as any clock here is true.
std::string Number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.10g}", *value) : "";
}
std::string Seconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.6f}", *value) : "";
}

Measured TakeMeasured(LineReader& line) {
  Measured row;
  line.TakeAll(&row.deployment, &row.kind, &row.repeat_of, &row.server,
               &row.cores, &row.tenant, &row.replicas, &row.rate_per_s,
               &row.quota_cores, &row.stressor, &row.dial, &row.seconds,
               &row.arrived, &row.completed, &row.censored, &row.dropped,
               &row.service_mean_ms, &row.service_sd_ms, &row.response_mean_ms,
               &row.response_p50_ms, &row.response_p75_ms, &row.response_p95_ms,
               &row.response_p99_ms, &row.queueing_mean_ms, &row.cpu_cores,
               &row.memory_bytes);
  line.Demand(!row.deployment.empty() && !row.tenant.empty(),
              "a row needs a deployment and a tenant");
  return row;
}

RequestRow TakeRequest(LineReader& line) {
  RequestRow row;
  line.TakeAll(&row.service, &row.replica, &row.arrival_s, &row.departure_s,
               &row.interarrival_s, &row.queueing_s, &row.queue_length,
               &row.censored);
  line.Demand(row.censored == !row.departure_s,
              "a request has a departure, or is censored");
  return row;
}

}  // namespace

std::string_view KindName(Kind kind) {
  return kKinds[static_cast<size_t>(kind)].second;
}

std::optional<Kind> ParseKind(std::string_view word) {
  for (const auto& [kind, name] : kKinds) {
    if (name == word) {
      return kind;
    }
  }
  return std::nullopt;
}

std::string MeasuredHeader() { return std::string(kMeasuredColumns) + "\n"; }

std::string MeasuredLine(const Measured& row) {
  const auto bytes = row.memory_bytes ? std::to_string(*row.memory_bytes) : "";
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},"
      "{},{}\n",
      row.deployment, KindName(row.kind), row.repeat_of, row.server,
      Number(row.cores), row.tenant, row.replicas, Number(row.rate_per_s),
      Number(row.quota_cores), row.stressor, Number(row.dial),
      Number(row.seconds), row.arrived, row.completed, row.censored,
      row.dropped, Number(row.service_mean_ms), Number(row.service_sd_ms),
      Number(row.response_mean_ms), Number(row.response_p50_ms),
      Number(row.response_p75_ms), Number(row.response_p95_ms),
      Number(row.response_p99_ms), Number(row.queueing_mean_ms),
      Number(row.cpu_cores), bytes);
}

Result<std::vector<Measured>> ReadMeasured(std::string_view csv,
                                           std::string_view origin) {
  return ReadRows<Measured>(csv, origin, kMeasuredColumns, TakeMeasured);
}

std::string RequestsHeader() { return std::string(kRequestColumns) + "\n"; }

std::string RequestLine(const RequestRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{}\n", row.service, row.replica,
                     Seconds(row.arrival_s), Seconds(row.departure_s),
                     Seconds(row.interarrival_s), Seconds(row.queueing_s),
                     row.queue_length, row.censored ? 1 : 0);
}

Result<std::vector<RequestRow>> ReadRequests(std::string_view csv,
                                             std::string_view origin) {
  return ReadRows<RequestRow>(csv, origin, kRequestColumns, TakeRequest);
}

bool IsPlainName(std::string_view name) {
  constexpr size_t kLongest = 64;
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c < 128 &&
                  (std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_');
         });
}

}  // namespace edgewise::tenants
