#include "server/traffic_metrics.h"

#include <fmt/format.h>

namespace edgewise {
namespace {

MetricLabels LabelsOf(const http::Route& route) {
  return {{"route", route.pattern}, {"method", route.method}};
}

void AddRequests(const std::vector<http::RouteTraffic>& traffic,
                 const std::vector<http::Route>& routes,
                 Exposition& exposition) {
  exposition.Begin("edgewise_http_requests_total", "counter",
                   "Requests answered, by route and status.");
  for (size_t i = 0; i < routes.size(); ++i) {
    for (const auto& [status, count] : traffic[i].by_status) {
      MetricLabels labels = LabelsOf(routes[i]);
      labels.emplace_back("code", std::to_string(status));
      exposition.Add(labels, static_cast<double>(count));
    }
  }
}

void AddTimes(const std::vector<http::RouteTraffic>& traffic,
              const std::vector<http::Route>& routes, Exposition& exposition) {
  exposition.Begin("edgewise_http_request_seconds", "histogram",
                   "From the end of a request's head to its answer.");
  for (size_t i = 0; i < routes.size(); ++i) {
    uint64_t count = 0;
    for (size_t k = 0; k < traffic[i].by_time.size(); ++k) {
      count += traffic[i].by_time[k];
      MetricLabels labels = LabelsOf(routes[i]);
      labels.emplace_back("le", k < http::kTimeBounds_s.size()
                                    ? fmt::format("{}", http::kTimeBounds_s[k])
                                    : "+Inf");
      exposition.Add(labels, static_cast<double>(count), "_bucket");
    }
    exposition.Add(LabelsOf(routes[i]), traffic[i].time_s, "_sum");
    exposition.Add(LabelsOf(routes[i]), static_cast<double>(count), "_count");
  }
}

}  // namespace

void AddTrafficMetrics(const http::Traffic& traffic,
                       const std::vector<http::Route>& routes,
                       Exposition& exposition) {
  std::vector<http::RouteTraffic> by_route;
  for (size_t i = 0; i < routes.size(); ++i) {
    by_route.push_back(traffic.Of(i));
  }
  AddRequests(by_route, routes, exposition);
  AddTimes(by_route, routes, exposition);
  exposition.AddOne("edgewise_http_unmatched_requests_total", "counter",
                    "Requests for paths or methods that there are not.",
                    static_cast<double>(traffic.unmatched.load()));
  exposition.AddOne("edgewise_http_cut_connections_total", "counter",
                    "Connections ended because the client took too long.",
                    static_cast<double>(traffic.cut.load()));
  exposition.AddOne("edgewise_http_connections", "gauge", "Open connections.",
                    static_cast<double>(traffic.connections.load()));
  exposition.AddOne("edgewise_http_requests_in_progress", "gauge",
                    "Requests being received or answered.",
                    static_cast<double>(traffic.requests.load()));
  exposition.AddOne("edgewise_http_streams", "gauge", "Open event streams.",
                    static_cast<double>(traffic.streams.load()));
}

}  // namespace edgewise
