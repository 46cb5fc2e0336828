#include "server/traffic_metrics.h"

#include <string>

namespace edgewise {
namespace {

using http::FamilyType;

http::LabelText LabelsOf(const http::Route& route) {
  return http::LabelText()
      .Add("route", route.pattern)
      .Add("method", route.method);
}

void AddRequests(const std::vector<http::RouteTraffic>& traffic,
                 const std::vector<http::Route>& routes,
                 http::Exposition& exposition) {
  exposition.Family("edgewise_http_requests", FamilyType::kCounter,
                    "Requests answered, by route and status.");
  for (size_t i = 0; i < routes.size(); ++i) {
    for (const auto& [status, count] : traffic[i].by_status) {
      exposition.Sample(LabelsOf(routes[i]).Add("code", std::to_string(status)),
                        static_cast<double>(count));
    }
  }
}

void AddTimes(const std::vector<http::RouteTraffic>& traffic,
              const std::vector<http::Route>& routes,
              http::Exposition& exposition) {
  exposition.Family("edgewise_http_request_seconds", FamilyType::kHistogram,
                    "From the end of a request's head to its answer.",
                    "seconds");
  for (size_t i = 0; i < routes.size(); ++i) {
    exposition.Histogram(LabelsOf(routes[i]).text(), http::kTimeBounds_s,
                         traffic[i].by_time, traffic[i].time_s);
  }
}

}  // namespace

void AddTrafficMetrics(const http::Traffic& traffic,
                       const std::vector<http::Route>& routes,
                       http::Exposition& exposition) {
  std::vector<http::RouteTraffic> by_route;
  for (size_t i = 0; i < routes.size(); ++i) {
    by_route.push_back(traffic.Of(i));
  }
  AddRequests(by_route, routes, exposition);
  AddTimes(by_route, routes, exposition);
  exposition.One("edgewise_http_unmatched_requests", FamilyType::kCounter,
                 "Requests for paths or methods that there are not.",
                 static_cast<double>(traffic.unmatched.load()));
  exposition.One("edgewise_http_cut_connections", FamilyType::kCounter,
                 "Connections ended because the client took too long.",
                 static_cast<double>(traffic.cut.load()));
  exposition.One("edgewise_http_connections", FamilyType::kGauge,
                 "Open connections.",
                 static_cast<double>(traffic.connections.load()));
  exposition.One("edgewise_http_requests_in_progress", FamilyType::kGauge,
                 "Requests being received or answered.",
                 static_cast<double>(traffic.requests.load()));
  exposition.One("edgewise_http_streams", FamilyType::kGauge,
                 "Open event streams.",
                 static_cast<double>(traffic.streams.load()));
}

}  // namespace edgewise
