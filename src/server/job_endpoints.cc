#include "server/job_endpoints.h"

#include <utility>

#include "server/job_answers.h"
#include "server/job_json.h"
#include "server/jobs_page.h"

namespace edgewise {
namespace {

constexpr size_t kAppFileBytes = size_t{64} << 10;

// Calls `answer` with the job that the path names.
template <typename Answer>
http::Handler WithJob(JobQueue& queue, Answer answer) {
  return [&queue, answer](const http::Request& request) -> http::Response {
    const std::string id(request.Parameter("id"));
    const auto job = queue.Find(id);
    if (!job) {
      return JobProblem(job.error());
    }
    if (!*job) {
      return JobProblem({ErrorCode::kNotFound,
                         "there is no job \"" + id +
                             "\": it may have been removed, being old"});
    }
    return answer(request, **job);
  };
}

EndpointAnswer JobAnswer(int status, const char* description) {
  return {status, description, {http::kJsonType, "Job"}};
}

}  // namespace

void AddJobEndpoints(Service& service, JobQueue& queue,
                     const std::filesystem::path& home) {
  using http::Access;
  service.AddSchemas(kJobSchemas);
  service.AddMetrics([&queue](http::Exposition& exposition) {
    const JobCounts counts = queue.Counts();
    exposition.One("edgewise_jobs_queued", http::FamilyType::kGauge,
                   "Jobs that wait.", static_cast<double>(counts.queued));
    exposition.One("edgewise_jobs_running", http::FamilyType::kGauge,
                   "Jobs that run.", static_cast<double>(counts.running));
    exposition.One("edgewise_jobs_ended", http::FamilyType::kCounter,
                   "Jobs that ended since the server began.",
                   static_cast<double>(counts.ended));
  });
  const EndpointAnswer gone = ErrorAnswer(404, "There is no such job.");
  const std::vector<EndpointAnswer> submitted{
      JobAnswer(201, "It waits; Location says where it is."),
      ErrorAnswer(400, "The app file is wrong; the message says where."),
      ErrorAnswer(403, "It asks for what this server does not allow."),
      ErrorAnswer(413, "It is too large."),
      ErrorAnswer(415, "It is not said to be YAML or JSON."),
      ErrorAnswer(503, "Too many jobs wait.")};

  service.Add({.route = {"POST", "/api/v1/jobs",
                         [&queue](const http::Request& request) {
                           return SubmitJob(request, queue);
                         },
                         Access::kToken, kAppFileBytes},
               .summary = "Hand over an app file to be run; ?retry=true runs "
                          "it again if the server ends meanwhile",
               .requests = {{"application/yaml", ""}, {http::kJsonType, ""}},
               .answers = submitted});
  service.Add({.route = {"GET", "/api/v1/jobs",
                         [&queue](const http::Request& request) {
                           return ListJobs(request, queue);
                         },
                         Access::kToken},
               .summary = "The newest jobs; ?state= and ?limit= choose",
               .requests = {},
               .answers = {{200, "Newest first.", {http::kJsonType, "Jobs"}},
                           ErrorAnswer(400, "There is no such state.")}});
  const auto add = [&](const char* method, const char* pattern,
                       http::Handler handler, const char* summary,
                       std::vector<EndpointAnswer> answers, bool slow = false) {
    answers.push_back(gone);
    http::Route route{method, pattern, std::move(handler), Access::kToken};
    route.slow = slow;
    service.Add({.route = std::move(route),
                 .summary = summary,
                 .requests = {},
                 .answers = std::move(answers)});
  };
  const auto cancel = [&queue](const http::Request& request) {
    return CancelJob(request, queue);
  };
  const std::vector<EndpointAnswer> cancelled{
      JobAnswer(202, "It ends, or never begins."),
      ErrorAnswer(403, "Another site's page asked."),
      ErrorAnswer(409, "It is over.")};
  add("GET", "/api/v1/jobs/{id}",
      WithJob(queue,
              [](const http::Request&, const AppJob& job) {
                return http::Response{.body = JobJson(job) + "\n"};
              }),
      "One job", {JobAnswer(200, "As it is now.")});
  add("DELETE", "/api/v1/jobs/{id}", cancel, "Cancel a job", cancelled);
  add("POST", "/api/v1/jobs/{id}/cancel", cancel, "Cancel a job", cancelled);
  add("GET", "/api/v1/jobs/{id}/log",
      WithJob(queue,
              [&queue](const http::Request& request, const AppJob& job) {
                return JobLogText(request, queue, job);
              }),
      "What it printed; ?from= is an offset in bytes",
      {{200, "Text.", {"text/plain", ""}},
       ErrorAnswer(400, "from is no number.")});
  add("GET", "/api/v1/jobs/{id}/events",
      WithJob(queue,
              [&queue](const http::Request&, const AppJob& job) {
                return JobEvents(queue, job);
              }),
      "The log as it grows and states as they change, until the job is over",
      {{200,
        "Server-sent events: `log` with {text}, `state` with a job.",
        {http::kEventType, ""}},
       ErrorAnswer(503, "Too many follow jobs already.")});
  add("GET", "/api/v1/jobs/{id}/artifacts",
      WithJob(queue, [](const http::Request&,
                        const AppJob& job) { return ListJobArtifacts(job); }),
      "What came out of it",
      {{200, "Names and addresses.", {http::kJsonType, "Artifacts"}}});
  add("GET", "/api/v1/jobs/{id}/artifacts/{name}",
      WithJob(queue,
              [&queue, home](const http::Request& request, const AppJob& job) {
                return GetJobArtifact(request, queue, home, job);
              }),
      "One of these files", {{200, "As its list says.", {"", ""}}},
      /*slow=*/true);
  service.Add({.route = {"POST", "/job/{name}/buildWithParameters",
                         [&queue](const http::Request& request) {
                           return BuildJob(request, queue);
                         },
                         Access::kToken, kAppFileBytes},
               .summary = "For callers of the former profiler: app_name, "
                          "app_args and app_docker_args",
               .requests = {{"application/x-www-form-urlencoded", "BuildForm"}},
               .answers = submitted});
  service.Add({.route = {"GET", "/jobs",
                         [](const http::Request&) {
                           return http::Response{
                               .content_type = http::kHtmlType,
                               .body = std::string(JobsPage())};
                         },
                         Access::kToken},
               .summary = "A page with all jobs and their logs",
               .requests = {},
               .answers = {{200, "It asks /api/v1/jobs.", {"text/html", ""}}}});
}

}  // namespace edgewise
