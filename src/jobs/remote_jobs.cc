#include "jobs/remote_jobs.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "store/iso_time.h"

namespace edgewise {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMostLogBytes = int64_t{80} << 20;
constexpr char kJobs[] = "/api/v1/jobs";

Error NotAJob() {
  return {ErrorCode::kCorrupt,
          "the server's answer makes no sense: is an edgewise serve of this "
          "version there?"};
}

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : "";
}

std::optional<int64_t> IntOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer()
             ? std::optional(found->get<int64_t>())
             : std::nullopt;
}

Result<AppJob> JobOf(const Json& json) {
  if (!json.is_object()) {
    return NotAJob();
  }
  AppJob job;
  job.id = TextOf(json, "id");
  job.name = TextOf(json, "name");
  const auto state = ParseJobState(TextOf(json, "state"));
  if (job.id.empty() || !state) {
    return NotAJob();
  }
  job.state = *state;
  job.retry = json.value("retry", Json()) == Json(true);
  job.interruptions =
      static_cast<int>(IntOf(json, "interruptions").value_or(0));
  job.submitted_utc_ns = ParseIsoUtcNs(TextOf(json, "submitted")).value_or(0);
  job.started_utc_ns = ParseIsoUtcNs(TextOf(json, "started"));
  job.ended_utc_ns = ParseIsoUtcNs(TextOf(json, "ended"));
  if (const auto code = IntOf(json, "exit_code")) {
    job.exit_code = static_cast<int>(*code);
  }
  job.reason = TextOf(json, "reason");
  if (const auto runs = json.find("runs");
      runs != json.end() && runs->is_array()) {
    for (const Json& id : *runs) {
      if (id.is_string()) {
        job.runs.push_back(id.get<std::string>());
      }
    }
  }
  return job;
}

ErrorCode CodeOf(int status) {
  switch (status) {
    case 401:
    case 403:
      return ErrorCode::kPermission;
    case 404:
      return ErrorCode::kNotFound;
    case 429:
    case 503:
      return ErrorCode::kBusy;
    default:
      return status < 500 ? ErrorCode::kInvalid : ErrorCode::kIo;
  }
}

// What the server says is wrong.
Error Refusal(const fetch::Response& response) {
  const Json json = Json::parse(response.body, nullptr, false);
  std::string message;
  if (json.is_object() && json.contains("error") && json["error"].is_object()) {
    message = TextOf(json["error"], "message");
  }
  if (message.empty()) {
    message = "the server answered " + std::to_string(response.status);
  }
  return {CodeOf(response.status), std::move(message)};
}

}  // namespace

Result<AppJob> JobFromJson(std::string_view json) {
  return JobOf(Json::parse(json, nullptr, false));
}

RemoteJobs::RemoteJobs(JobServerAddress address,
                       std::unique_ptr<fetch::Client> client)
    : address_(std::move(address)), client_(std::move(client)) {}

Result<RemoteJobs> RemoteJobs::Open(JobServerAddress address) {
  if (!address.url.starts_with("http://") &&
      !address.url.starts_with("https://")) {
    return Error{ErrorCode::kInvalid, "\"" + address.url +
                                          "\" is no address of a server: write "
                                          "http://HOST:7001"};
  }
  while (address.url.ends_with('/')) {
    address.url.pop_back();
  }
  auto client = fetch::MakeClient();
  if (!client) {
    return client.error();
  }
  return RemoteJobs(std::move(address), std::move(*client));
}

Result<fetch::Response> RemoteJobs::Ask(fetch::Request request) {
  request.url = address_.url + request.url;
  request.credentials.bearer_token = address_.token;
  request.ca_file = address_.ca_file;
  request.max_body_bytes = kMostLogBytes;
  auto response = client_->Send(request);
  if (response && response->status >= 400) {
    return Refusal(*response);
  }
  return response;
}

Result<AppJob> RemoteJobs::Submit(const std::string& app_file, bool retry) {
  fetch::Request request;
  request.method = "POST";
  request.url = std::string(kJobs) + (retry ? "?retry=true" : "");
  request.headers = {{"Content-Type", "application/yaml"}};
  request.body = app_file;
  const auto response = Ask(std::move(request));
  return response ? JobFromJson(response->body) : response.error();
}

Result<AppJob> RemoteJobs::Find(const std::string& id) {
  fetch::Request request;
  request.url = std::string(kJobs) + "/" + id;
  const auto response = Ask(std::move(request));
  return response ? JobFromJson(response->body) : response.error();
}

Result<std::string> RemoteJobs::ReadLog(const std::string& id, int64_t from) {
  fetch::Request request;
  request.url =
      std::string(kJobs) + "/" + id + "/log?from=" + std::to_string(from);
  auto response = Ask(std::move(request));
  return response ? Result<std::string>(std::move(response->body))
                  : response.error();
}

Result<std::vector<AppJob>> RemoteJobs::List(const std::string& state,
                                             int limit) {
  fetch::Request request;
  request.url = std::string(kJobs) + "?limit=" + std::to_string(limit) +
                (state.empty() ? "" : "&state=" + state);
  const auto response = Ask(std::move(request));
  if (!response) {
    return response.error();
  }
  const Json json = Json::parse(response->body, nullptr, false);
  if (!json.is_object() || !json.contains("jobs") || !json["jobs"].is_array()) {
    return NotAJob();
  }
  std::vector<AppJob> jobs;
  for (const Json& each : json["jobs"]) {
    auto job = JobOf(each);
    if (!job) {
      return job.error();
    }
    jobs.push_back(std::move(*job));
  }
  return jobs;
}

Result<AppJob> RemoteJobs::Cancel(const std::string& id) {
  fetch::Request request;
  request.method = "POST";
  request.url = std::string(kJobs) + "/" + id + "/cancel";
  const auto response = Ask(std::move(request));
  return response ? JobFromJson(response->body) : response.error();
}

Result<std::vector<std::string>> RemoteJobs::Artifacts(const std::string& id) {
  fetch::Request request;
  request.url = std::string(kJobs) + "/" + id + "/artifacts";
  const auto response = Ask(std::move(request));
  if (!response) {
    return response.error();
  }
  const Json json = Json::parse(response->body, nullptr, false);
  if (!json.is_object() || !json.contains("artifacts") ||
      !json["artifacts"].is_array()) {
    return NotAJob();
  }
  std::vector<std::string> names;
  for (const Json& each : json["artifacts"]) {
    // A name of a file, never a path.
    const std::string name = each.is_object() ? TextOf(each, "name") : "";
    if (name.empty() || name.starts_with('.') ||
        name.find('/') != std::string::npos) {
      return NotAJob();
    }
    names.push_back(name);
  }
  return names;
}

Result<void> RemoteJobs::Download(const std::string& id,
                                  const std::string& artifact,
                                  const std::filesystem::path& file) {
  fetch::Request request;
  request.url = std::string(kJobs) + "/" + id + "/artifacts/" + artifact;
  request.into_file = file;
  request.limit = std::chrono::milliseconds(0);
  const auto response = Ask(std::move(request));
  return response ? Result<void>() : response.error();
}

std::string RemoteJobs::PageOf(const std::string& id) const {
  return address_.url + "/jobs#" + id;
}

}  // namespace edgewise
