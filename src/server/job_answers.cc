#include "server/job_answers.h"

#include <utility>

#include "base/text.h"
#include "report/json_writer.h"
#include "server/build_form.h"
#include "server/job_artifacts.h"
#include "server/job_json.h"
#include "server/own_origin.h"

namespace edgewise {
namespace {

constexpr int64_t kMostListed = 2000;
// Of events that a slow client has not taken, beside the log itself.
constexpr size_t kStreamSlackBytes = size_t{64} << 10;

Problem ProblemOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::kInvalid:
      return {400, "invalid_app_file", "", error.message};
    case ErrorCode::kPermission:
      return {403, "not_permitted", "", error.message};
    case ErrorCode::kNotFound:
      return {404, "no_such_job", "", error.message};
    case ErrorCode::kBusy:
      return {503, "queue_full", "", error.message};
    default:
      return {500, "internal", "", error.message};
  }
}

http::Response Refuse(const Problem& problem) {
  http::Response response = ProblemResponse(problem);
  if (problem.status == 503) {
    response.headers.emplace_back("Retry-After", "30");
  }
  return response;
}

http::Response Created(const AppJob& job) {
  http::Response response{.status = 201, .body = JobJson(job) + "\n"};
  response.headers.emplace_back("Location", JobPath(job.id));
  return response;
}

bool IsAppFileType(const std::string& type) {
  return type == "application/json" || type == "application/yaml" ||
         type == "application/x-yaml" || type == "text/yaml" ||
         type == "text/x-yaml";
}

}  // namespace

http::Response JobProblem(const Error& error) {
  return Refuse(ProblemOf(error));
}

http::Response SubmitJob(const http::Request& request, JobQueue& queue) {
  if (const auto refused = RefuseOtherOrigin(request)) {
    return Refuse(*refused);
  }
  // Of these types none can be sent by another site's page unasked.
  if (const std::string type = request.ContentType(); !IsAppFileType(type)) {
    return Refuse({415, "unsupported_media_type", "",
                   "send an app file with \"Content-Type: application/yaml\" "
                   "or application/json"});
  }
  const std::string_view retry = request.Query("retry").value_or("false");
  if (retry != "true" && retry != "false") {
    return Refuse({400, "invalid_field", "retry", "retry is true or false"});
  }
  const auto job = queue.Submit(request.body, retry == "true");
  return job ? Created(*job) : Refuse(ProblemOf(job.error()));
}

http::Response BuildJob(const http::Request& request, JobQueue& queue) {
  if (const auto refused = RefuseOtherOrigin(request)) {
    return Refuse(*refused);
  }
  const auto app_file = AppFileOfBuild(request, queue.rules());
  if (const auto* const problem = std::get_if<Problem>(&app_file)) {
    return Refuse(*problem);
  }
  const auto job = queue.Submit(std::get<std::string>(app_file), false);
  return job ? Created(*job) : Refuse(ProblemOf(job.error()));
}

http::Response ListJobs(const http::Request& request, JobQueue& queue) {
  JobFilter filter;
  if (const auto state = request.Query("state")) {
    filter.state = ParseJobState(*state);
    if (!filter.state) {
      return Refuse({400, "invalid_field", "state",
                     "state is queued, running, done, failed, cancelled or "
                     "interrupted"});
    }
  }
  if (const auto limit = request.Query("limit")) {
    const auto number = ParseInt(*limit);
    if (!number || *number < 1 || *number > kMostListed) {
      return Refuse(
          {400, "invalid_field", "limit", "limit is a number from 1 to 2000"});
    }
    filter.limit = *number;
  }
  const auto jobs = queue.List(filter);
  return jobs ? http::Response{.body = JobListJson(*jobs)}
              : Refuse(ProblemOf(jobs.error()));
}

http::Response CancelJob(const http::Request& request, JobQueue& queue) {
  if (const auto refused = RefuseOtherOrigin(request)) {
    return Refuse(*refused);
  }
  const auto job = queue.Cancel(std::string(request.Parameter("id")));
  if (!job && job.error().code == ErrorCode::kInvalid) {
    return Refuse({409, "job_is_over", "", job.error().message});
  }
  return job ? http::Response{.status = 202, .body = JobJson(*job) + "\n"}
             : Refuse(ProblemOf(job.error()));
}

http::Response JobLogText(const http::Request& request, JobQueue& queue,
                          const AppJob& job) {
  const auto from = ParseInt(request.Query("from").value_or("0"));
  if (!from || *from < 0) {
    return Refuse({400, "invalid_field", "from", "from is a number of bytes"});
  }
  return {.content_type = http::kTextType,
          .body = queue.ReadLog(job.id, *from)};
}

http::Response JobEvents(JobQueue& queue, const AppJob& job) {
  const auto stream = std::make_shared<http::Stream>(
      3 * static_cast<size_t>(queue.rules().log_bytes) + kStreamSlackBytes);
  JobListener listener;
  listener.log = [stream](std::string_view text) {
    return stream->WriteEvent("log",
                              JsonObject().AddString("text", text).text());
  };
  listener.state = [stream](const AppJob& now) {
    const bool taken = stream->WriteEvent("state", JobJson(now));
    if (IsOver(now.state)) {
      stream->End();
    }
    return taken;
  };
  if (const auto followed = queue.Follow(job.id, std::move(listener));
      !followed) {
    return Refuse(ProblemOf(followed.error()));
  }
  return http::EventStreamResponse(stream);
}

http::Response ListJobArtifacts(const AppJob& job) {
  JsonArray list;
  for (const Artifact& artifact : ArtifactsOf(job)) {
    list.Add(
        JsonObject()
            .AddString("name", artifact.name)
            .AddString("content_type", artifact.content_type)
            .AddString("description", artifact.description)
            .AddString("href", JobPath(job.id) + "/artifacts/" + artifact.name)
            .text());
  }
  return {.body = JsonObject().Add("artifacts", list.text()).text() + "\n"};
}

http::Response GetJobArtifact(const http::Request& request, JobQueue& queue,
                              const std::filesystem::path& home,
                              const AppJob& job) {
  const std::string name(request.Parameter("name"));
  auto bytes = ReadArtifact(queue, home, job, name);
  if (!bytes && bytes.error().code != ErrorCode::kNotFound) {
    return Refuse(ProblemOf(bytes.error()));
  }
  if (bytes && *bytes) {
    for (const Artifact& artifact : ArtifactsOf(job)) {
      if (artifact.name == name) {
        return {.content_type = artifact.content_type,
                .body = std::move(**bytes)};
      }
    }
  }
  return Refuse({404, "no_such_artifact", "",
                 "the job has no \"" + name +
                     "\": ask for /artifacts, which lists them"});
}

}  // namespace edgewise
