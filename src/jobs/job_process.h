// JobProcess: one job as it runs, in a process `edgewise run` of its own.
#ifndef EDGEWISE_JOBS_JOB_PROCESS_H_
#define EDGEWISE_JOBS_JOB_PROCESS_H_

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

// The first word on the command line of such a process; the rest is as usual.
// It ends if its server does, and its errors go where its output goes.
inline constexpr char kJobWord[] = "job-of-server";
// Makes this process one, for the server with that pid. False if the server is
// gone already.
bool BecomeJobProcess(int server_pid);

struct JobProcessPlan {
  std::string program;         // edgewise itself
  std::filesystem::path home;  // of the store
  std::filesystem::path app_file;
  std::string job_id;
};

// Runs it to its end: the exit code, 128 + signal if it was killed. `output` is
// called with what it prints. Once `stop` is readable it is asked to end, and
// killed if it does not within a minute. The calling thread must live as long
// as the server: the process ends with it.
Result<int> RunJobProcess(const JobProcessPlan& plan, int stop,
                          const std::function<void(std::string_view)>& output);

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_JOB_PROCESS_H_
