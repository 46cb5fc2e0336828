#include "server/service.h"

#include <unistd.h>

#include <atomic>

#include "base/clock.h"
#include "base/text.h"
#include "report/json_writer.h"
#include "server/traffic_metrics.h"

namespace edgewise {

struct Service::State {
  std::vector<Endpoint> endpoints;
  std::vector<std::string> schemas = {kErrorSchemas};
  std::vector<std::function<std::optional<std::string>()>> why_not;
  std::vector<std::function<void(http::Exposition&)>> metrics;
  std::vector<http::Route> routes;  // as started
  std::string openapi;
  int64_t begin_utc_ns = UtcNs();
  std::unique_ptr<http::Server> server;
  // Set once the server answers; handlers may run before Start() returns.
  std::atomic<const http::Server*> answering = nullptr;
};

namespace {

const char kStatusSchemas[] = R"("Status": {
  "type": "object",
  "required": ["status"],
  "properties": {"status": {"type": "string", "enum": ["ok"]}}
})";

void AddProcessMetrics(int64_t begin_utc_ns, http::Exposition& exposition) {
  exposition.One("process_cpu_seconds", http::FamilyType::kCounter,
                 "CPU time of this process.",
                 static_cast<double>(ProcessCpuNs()) * 1e-9);
  exposition.One("process_start_time_seconds", http::FamilyType::kGauge,
                 "When this process began, in seconds since 1970.",
                 static_cast<double>(begin_utc_ns) * 1e-9);
  if (const auto statm = TryReadFile("/proc/self/statm")) {
    const auto fields = SplitFields(*statm);
    const auto pages = fields.size() > 1 ? ParseInt(fields[1]) : std::nullopt;
    if (pages) {
      exposition.One("process_resident_memory_bytes", http::FamilyType::kGauge,
                     "Resident memory of this process.",
                     static_cast<double>(*pages * ::sysconf(_SC_PAGESIZE)));
    }
  }
}

http::Response StatusOk() {
  return {.body = JsonObject().AddString("status", "ok").text() + "\n"};
}

}  // namespace

Service::Service() : state_(std::make_unique<State>()) {
  State* const state = state_.get();
  AddSchemas(kStatusSchemas);
  Add({.route = {"GET", "/healthz",
                 [](const http::Request&) { return StatusOk(); }},
       .summary = "Whether the server lives",
       .requests = {},
       .answers = {{200, "It does.", {http::kJsonType, "Status"}}}});
  Add({.route = {"GET", "/readyz",
                 [state](const http::Request&) {
                   for (const auto& why_not : state->why_not) {
                     if (const auto reason = why_not()) {
                       http::Response response =
                           http::ErrorResponse(503, "not_ready", *reason);
                       response.headers.emplace_back("Retry-After", "5");
                       return response;
                     }
                   }
                   return StatusOk();
                 }},
       .summary = "Whether requests can be answered now",
       .requests = {},
       .answers = {{200, "They can.", {http::kJsonType, "Status"}},
                   ErrorAnswer(503, "They cannot; the message says why.")}});
  Add({.route = {"GET", "/metrics",
                 [state](const http::Request& request) {
                   const auto format =
                       http::ChooseFormat(request.Header("Accept"));
                   http::Exposition exposition(format);
                   if (const http::Server* const server = state->answering) {
                     AddTrafficMetrics(server->traffic(), state->routes,
                                       exposition);
                   }
                   AddProcessMetrics(state->begin_utc_ns, exposition);
                   for (const auto& metrics : state->metrics) {
                     metrics(exposition);
                   }
                   return http::Response{
                       .content_type = http::ContentTypeOf(format),
                       .body = std::move(exposition).Finish()};
                 }},
       .summary = "Metrics for Prometheus",
       .requests = {},
       .answers = {{200,
                    "Text format 0.0.4, or OpenMetrics where asked for.",
                    {"text/plain", ""}}}});
  Add({.route = {"GET", "/openapi.json",
                 [state](const http::Request&) {
                   return http::Response{.body = state->openapi};
                 }},
       .summary = "This document",
       .requests = {},
       .answers = {{200, "OpenAPI 3.0.", {http::kJsonType, ""}}}});
}

Service::~Service() { Stop(); }

void Service::Add(Endpoint endpoint) {
  state_->endpoints.push_back(std::move(endpoint));
}

void Service::AddSchemas(std::string members) {
  state_->schemas.push_back(std::move(members));
}

void Service::AddReadiness(
    std::function<std::optional<std::string>()> why_not) {
  state_->why_not.push_back(std::move(why_not));
}

void Service::AddMetrics(std::function<void(http::Exposition&)> metrics) {
  state_->metrics.push_back(std::move(metrics));
}

const std::vector<Endpoint>& Service::endpoints() const {
  return state_->endpoints;
}

Result<void> Service::Start(const http::ServerSettings& settings) {
  http::Router router;
  for (const Endpoint& endpoint : state_->endpoints) {
    router.Add(endpoint.route);
  }
  state_->routes = router.routes();
  state_->openapi = OpenApiDocument(state_->endpoints, state_->schemas);
  auto server = http::StartServer(settings, std::move(router));
  if (!server) {
    return server.error();
  }
  state_->server = std::move(*server);
  state_->answering = state_->server.get();
  return {};
}

int Service::port() const {
  return state_->server ? state_->server->port() : 0;
}

void Service::Stop() {
  if (state_->server) {
    state_->server->Stop();
  }
}

}  // namespace edgewise
