// What is answered to requests about jobs.
#ifndef EDGEWISE_SERVER_JOB_ANSWERS_H_
#define EDGEWISE_SERVER_JOB_ANSWERS_H_

#include <filesystem>

#include "http/request.h"
#include "http/response.h"
#include "jobs/job_queue.h"

namespace edgewise {

// Why the queue cannot do it.
http::Response JobProblem(const Error& error);

// An app file to be run; 201.
http::Response SubmitJob(const http::Request& request, JobQueue& queue);
// The same from a form of the former profiler.
http::Response BuildJob(const http::Request& request, JobQueue& queue);
http::Response ListJobs(const http::Request& request, JobQueue& queue);
http::Response CancelJob(const http::Request& request, JobQueue& queue);
http::Response JobLogText(const http::Request& request, JobQueue& queue,
                          const AppJob& job);
// Server-sent events until the job is over.
http::Response JobEvents(JobQueue& queue, const AppJob& job);
http::Response ListJobArtifacts(const AppJob& job);
http::Response GetJobArtifact(const http::Request& request, JobQueue& queue,
                              const std::filesystem::path& home,
                              const AppJob& job);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_JOB_ANSWERS_H_
