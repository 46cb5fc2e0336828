#include "server/scheduler_endpoints.h"

namespace edgewise {
namespace {

// Of 10,000 nodes as whole objects.
constexpr size_t kArgsBytes = size_t{128} << 20;

http::Response AnswerFilter(const http::Request& request,
                            Scheduler& scheduler) {
  const auto args = ReadExtenderArgs(request.body);
  if (const auto* const problem = std::get_if<Problem>(&args)) {
    return ProblemResponse(*problem);
  }
  const auto& asked = std::get<ExtenderArgs>(args);
  const auto verdicts = scheduler.Judge(asked, /*chosen=*/false);
  return {.body = verdicts ? FilterResultJson(asked, *verdicts)
                           : FilterErrorJson(verdicts.error().message)};
}

// Where nothing can be said all nodes are alike: filter has refused them.
http::Response AnswerPrioritize(const http::Request& request,
                                Scheduler& scheduler) {
  const auto args = ReadExtenderArgs(request.body);
  if (const auto* const problem = std::get_if<Problem>(&args)) {
    return ProblemResponse(*problem);
  }
  const auto& asked = std::get<ExtenderArgs>(args);
  const auto verdicts = scheduler.Judge(asked, /*chosen=*/true);
  return {.body = PrioritiesJson(
              asked, verdicts ? *verdicts
                              : std::vector<NodeVerdict>(asked.nodes.size()))};
}

void AddOne(Service& service, const char* path, http::Handler handler,
            const char* summary, const char* schema) {
  http::Route route{"POST", path, std::move(handler), http::Access::kOpen,
                    kArgsBytes};
  route.slow = true;
  service.Add({.route = std::move(route),
               .summary = summary,
               .requests = {{http::kJsonType, "ExtenderArgs"}},
               .answers = {{200, "Of each node.", {http::kJsonType, schema}},
                           ErrorAnswer(400, "The body is no ExtenderArgs."),
                           ErrorAnswer(413, "The body is too large.")}});
}

}  // namespace

const char kSchedulerSchemas[] = R"("ExtenderArgs": {
  "type": "object",
  "required": ["Pod"],
  "properties": {
    "Pod": {"type": "object", "description": "With its metadata: name, namespace, annotations."},
    "Nodes": {"type": "object", "nullable": true, "description": "A NodeList; or NodeNames."},
    "NodeNames": {"type": "array", "nullable": true, "items": {"type": "string"}}
  }
},
"ExtenderFilterResult": {
  "type": "object",
  "required": ["Nodes", "NodeNames", "FailedNodes", "FailedAndUnresolvableNodes", "Error"],
  "properties": {
    "Nodes": {"type": "object", "nullable": true},
    "NodeNames": {"type": "array", "nullable": true, "items": {"type": "string"}},
    "FailedNodes": {"type": "object", "description": "By name: why not now."},
    "FailedAndUnresolvableNodes": {"type": "object", "description": "By name: why not even if it were empty."},
    "Error": {"type": "string"}
  }
},
"HostPriorityList": {
  "type": "array",
  "items": {
    "type": "object",
    "required": ["Host", "Score"],
    "properties": {
      "Host": {"type": "string"},
      "Score": {"type": "integer", "description": "0 to 10: what is left of the tightest tolerance."}
    }
  }
})";

void AddSchedulerEndpoints(Service& service, Scheduler& scheduler) {
  service.AddSchemas(kSchedulerSchemas);
  service.AddReadiness([&scheduler] { return scheduler.WhyNotReady(); });
  AddOne(
      service, "/scheduler/filter",
      [&scheduler](const http::Request& request) {
        return AnswerFilter(request, scheduler);
      },
      "For a Kubernetes scheduler: on which nodes a pod can stand so that all "
      "promises hold",
      "ExtenderFilterResult");
  AddOne(
      service, "/scheduler/prioritize",
      [&scheduler](const http::Request& request) {
        return AnswerPrioritize(request, scheduler);
      },
      "For a Kubernetes scheduler: how well, from 0 to 10", "HostPriorityList");
}

}  // namespace edgewise
