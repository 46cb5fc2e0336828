#include "server/job_json.h"

#include "base/clock.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

void AddTime(JsonObject& object, const char* name,
             const std::optional<int64_t>& utc_ns) {
  utc_ns ? object.AddString(name, FormatUtc(*utc_ns))
         : object.Add(name, "null");
}

}  // namespace

std::string JobPath(const std::string& id) { return "/api/v1/jobs/" + id; }

std::string JobJson(const AppJob& job) {
  const std::string path = JobPath(job.id);
  JsonObject object;
  object.AddString("id", job.id)
      .AddString("name", job.name)
      .AddString("state", JobStateName(job.state))
      .Add("retry", job.retry ? "true" : "false")
      .AddInt("interruptions", job.interruptions)
      .AddString("submitted", FormatUtc(job.submitted_utc_ns));
  AddTime(object, "started", job.started_utc_ns);
  AddTime(object, "ended", job.ended_utc_ns);
  job.exit_code ? object.AddInt("exit_code", *job.exit_code)
                : object.Add("exit_code", "null");
  object.AddString("reason", job.reason)
      .AddStrings("runs", job.runs)
      .Add("links", JsonObject()
                        .AddString("self", path)
                        .AddString("log", path + "/log")
                        .AddString("events", path + "/events")
                        .AddString("artifacts", path + "/artifacts")
                        .text());
  return object.text();
}

std::string JobListJson(const std::vector<AppJob>& jobs) {
  JsonArray list;
  for (const AppJob& job : jobs) {
    list.Add(JobJson(job));
  }
  return JsonObject().Add("jobs", list.text()).text() + "\n";
}

}  // namespace edgewise
