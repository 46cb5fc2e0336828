#include "probes/stacks/python_watch.h"

#include <utility>

#include "probes/python/python_files.h"

namespace edgewise {
namespace {

// SpooledSample::python_state.
constexpr uint32_t kNoPython = 0;
constexpr uint32_t kFramesRead = 1;
constexpr uint32_t kFramesMissed = 2;

constexpr size_t kMostRefusals = 5;

}  // namespace

void PythonWatch::Mapped(pid_t pid, std::string_view path) {
  if (MayHoldPython(path)) {
    processes_.try_emplace(pid);
  }
}

void PythonWatch::Forked(pid_t parent, pid_t child) {
  const auto found = processes_.find(parent);
  if (found == processes_.end()) {
    return;
  }
  Process& process = processes_[child];
  if (found->second.reader) {
    process.reader.emplace(found->second.reader->ForFork(child));
  }
}

void PythonWatch::Ended(pid_t pid) { processes_.erase(pid); }

bool PythonWatch::Attach(pid_t pid, Process* process) {
  if (process->tries_left == 0 || process->samples < process->next_try) {
    return false;
  }
  --process->tries_left;
  process->next_try = process->samples * 2;
  auto attached = PythonProcess::Attach(pid, &codes_);
  if (!attached) {
    if (attached.error().code != ErrorCode::kNotFound &&
        refusals_.size() < kMostRefusals) {
      refusals_.insert(attached.error().message);
    }
    process->tries_left = 0;
    return false;
  }
  if (!*attached) {
    return false;
  }
  process->reader.emplace(std::move(**attached));
  return true;
}

uint32_t PythonWatch::Read(pid_t pid, pid_t tid, bool in_time,
                           stacks::SpoolWriter& spool,
                           std::vector<stacks::SpooledPythonFrame>* frames) {
  const auto found = processes_.find(pid);
  if (found == processes_.end()) {
    return kNoPython;
  }
  Process& process = found->second;
  ++process.samples;
  if (!in_time || (!process.reader && !Attach(pid, &process))) {
    return kFramesMissed;
  }
  auto read = process.reader->Read(tid);
  for (const stacks::SpooledPythonCode& code : codes_.TakeNew()) {
    spool.Add(code);
  }
  if (!read) {
    return kFramesMissed;
  }
  *frames = std::move(*read);
  return kFramesRead;
}

std::vector<std::string> PythonWatch::notes() const {
  return {refusals_.begin(), refusals_.end()};
}

}  // namespace edgewise
