// What came out of a job, as files: its app file, its log, and of each Run the
// document, the report and the raw records.
#ifndef EDGEWISE_SERVER_JOB_ARTIFACTS_H_
#define EDGEWISE_SERVER_JOB_ARTIFACTS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "jobs/job_queue.h"

namespace edgewise {

struct Artifact {
  std::string name;  // "app.yaml", "log.txt", "0123456789ab.html"
  std::string content_type;
  std::string description;
};

std::vector<Artifact> ArtifactsOf(const AppJob& job);

// Its bytes; nullopt if the job has none of that name.
Result<std::optional<std::string>> ReadArtifact(
    JobQueue& queue, const std::filesystem::path& home, const AppJob& job,
    const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_JOB_ARTIFACTS_H_
