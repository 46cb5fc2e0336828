#include "probes/stacks/python_watch.h"

#include <utility>

namespace edgewise {
namespace {

// SpooledSample::python_state.
constexpr uint32_t kNoPython = 0;
constexpr uint32_t kFramesRead = 1;
constexpr uint32_t kFramesMissed = 2;

constexpr size_t kMostRefusals = 5;

bool IsInterpreter(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("python") || name.starts_with("libpython");
}

}  // namespace

void PythonWatch::Mapped(pid_t pid, std::string_view path) {
  if (IsInterpreter(path)) {
    processes_.try_emplace(pid);
  }
}

void PythonWatch::Forked(pid_t parent, pid_t child) {
  if (processes_.contains(parent)) {
    processes_.try_emplace(child);
  }
}

void PythonWatch::Ended(pid_t pid) { processes_.erase(pid); }

bool PythonWatch::Attach(pid_t pid, Process* process) {
  // Early samples may come before the interpreter is set up; tries become
  // rarer.
  if (process->tries_left == 0 || process->samples < process->next_try) {
    return false;
  }
  --process->tries_left;
  process->next_try = process->samples * 2;
  auto attached = python::PythonProcess::Attach(pid);
  if (!attached) {
    if (refusals_.size() < kMostRefusals) {
      refusals_.insert(attached.error().message);
    }
    if (attached.error().code != ErrorCode::kBusy) {
      process->tries_left = 0;
    }
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
  for (stacks::SpooledPythonCode& code : process.reader->TakeNewCodes()) {
    if (code.id >= process.code_ids.size()) {
      process.code_ids.resize(code.id + 1);
    }
    process.code_ids[code.id] = next_code_;
    code.id = next_code_++;
    spool.Add(code);
  }
  if (!read) {
    return kFramesMissed;
  }
  *frames = std::move(*read);
  for (stacks::SpooledPythonFrame& frame : *frames) {
    frame.code =
        frame.code < process.code_ids.size() ? process.code_ids[frame.code] : 0;
  }
  return kFramesRead;
}

std::vector<std::string> PythonWatch::notes() const {
  return {refusals_.begin(), refusals_.end()};
}

}  // namespace edgewise
