#include "tenants/request_log.h"

#include <algorithm>

#include "stats/moments.h"
#include "tenants/csv_rows.h"
#include "tenants/survival.h"

namespace edgewise::tenants {
namespace {

constexpr std::string_view kColumns =
    "service,replica,arrival_s,departure_s,interarrival_s,queueing_s,"
    "queue_length,censored,dropped";

// A quantile is the value of one request: with fewer than this many it would
// be the longest that happened to be seen. A mean hangs on the longest.
constexpr size_t kLeastForMean = 10;
constexpr size_t kLeastForP50 = 5;
constexpr size_t kLeastForP75 = 8;
constexpr size_t kLeastForP95 = 20;
constexpr size_t kLeastForP99 = 100;

LoggedRequest TakeLogged(LineReader& line) {
  LoggedRequest request;
  RequestRow& row = request.row;
  line.TakeAll(&row.service, &row.replica, &row.arrival_s, &row.departure_s,
               &row.interarrival_s, &row.queueing_s, &row.queue_length,
               &row.censored, &request.dropped);
  return request;
}

std::optional<double> InMs(std::optional<double> seconds) {
  return seconds ? std::optional(*seconds * 1e3) : std::nullopt;
}

}  // namespace

Result<std::vector<LoggedRequest>> ReadRequestLog(std::string_view csv,
                                                  std::string_view origin) {
  return ReadRows<LoggedRequest>(csv, origin, kColumns, TakeLogged);
}

WindowRequests RequestsWithin(const std::vector<LoggedRequest>& log,
                              const Window& window) {
  WindowRequests within;
  for (const LoggedRequest& logged : log) {
    RequestRow row = logged.row;
    if (row.arrival_s < window.begin_s || row.arrival_s >= window.end_s) {
      continue;
    }
    if (logged.dropped) {
      ++within.dropped;
      continue;
    }
    if (!row.departure_s || *row.departure_s > window.end_s) {
      row.departure_s.reset();
      row.censored = true;
    }
    if (row.queueing_s && row.arrival_s + *row.queueing_s > window.end_s) {
      row.queueing_s.reset();
    }
    row.arrival_s -= window.begin_s;
    if (row.departure_s) {
      *row.departure_s -= window.begin_s;
    }
    within.rows.push_back(std::move(row));
  }
  std::sort(within.rows.begin(), within.rows.end(),
            [](const RequestRow& a, const RequestRow& b) {
              return a.arrival_s < b.arrival_s;
            });
  return within;
}

void FillTimes(const WindowRequests& requests, double seconds, Measured* row) {
  row->seconds = seconds;
  row->dropped = requests.dropped;
  row->arrived = static_cast<int64_t>(requests.rows.size()) + requests.dropped;
  row->completed = 0;
  row->censored = 0;
  std::vector<Duration> responses;
  stats::Moments services;
  stats::Moments queueings;
  for (const RequestRow& request : requests.rows) {
    if (request.departure_s) {
      ++row->completed;
      const double response_s = *request.departure_s - request.arrival_s;
      responses.push_back({response_s, false});
      services.Add(response_s - request.queueing_s.value_or(0));
      queueings.Add(request.queueing_s.value_or(0));
    } else {
      ++row->censored;
      responses.push_back({seconds - request.arrival_s, true});
    }
  }
  const SurvivalCurve curve(std::move(responses));
  row->response_mean_ms = InMs(curve.Mean(kLeastForMean));
  row->response_p50_ms = InMs(curve.Quantile(0.50, kLeastForP50));
  row->response_p75_ms = InMs(curve.Quantile(0.75, kLeastForP75));
  row->response_p95_ms = InMs(curve.Quantile(0.95, kLeastForP95));
  row->response_p99_ms = InMs(curve.Quantile(0.99, kLeastForP99));
  row->service_mean_ms = InMs(services.mean());
  row->service_sd_ms = InMs(services.stddev());
  row->queueing_mean_ms = InMs(queueings.mean());
}

}  // namespace edgewise::tenants
