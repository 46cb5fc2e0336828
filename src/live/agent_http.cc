#include "live/agent_http.h"

#include "live/live_page.h"

namespace edgewise::live {

http::Router AgentRouter(const Agent& agent, const OldNames& old_names,
                         http::Access access) {
  http::Router router;
  const auto add = [&](const char* pattern, http::Handler handler,
                       http::Access who) {
    http::Route route;
    route.method = "GET";
    route.pattern = pattern;
    route.handler = std::move(handler);
    route.access = who;
    router.Add(std::move(route));
  };
  add(
      "/metrics",
      [&agent, old_names](const http::Request& request) {
        const http::ExpositionFormat format =
            http::ChooseFormat(request.Header("Accept"));
        http::Response response;
        response.content_type = http::ContentTypeOf(format);
        response.body =
            MetricsText(agent.Snapshot(Intervals::kWithout), format, old_names);
        return response;
      },
      access);
  add(
      "/api/v1/apps",
      [&agent](const http::Request&) {
        http::Response response;
        response.body = SnapshotJson(agent.Snapshot());
        response.headers = {{"Cache-Control", "no-store"}};
        return response;
      },
      access);
  add(
      "/api/v1/recent",
      [&agent](const http::Request&) {
        http::Response response;
        response.body = agent.RecentJson();
        response.headers = {{"Cache-Control", "no-store"}};
        return response;
      },
      access);
  add(
      "/healthz",
      [](const http::Request&) {
        http::Response response;
        response.body = R"({"status": "ok"})";
        return response;
      },
      http::Access::kOpen);
  add(
      "/",
      [](const http::Request&) {
        http::Response response;
        response.content_type = http::kHtmlType;
        response.body = LivePage();
        return response;
      },
      access);
  return router;
}

}  // namespace edgewise::live
