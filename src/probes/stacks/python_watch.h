// PythonWatch: which of the sampled processes run Python, and what their
// threads execute.
//
// A process is looked at when it has mapped an interpreter and is sampled for
// the first time; that may be before the interpreter is ready, so a few tries
// are made. Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_PYTHON_WATCH_H_
#define EDGEWISE_PROBES_STACKS_PYTHON_WATCH_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "probes/python/codes.h"
#include "probes/python/interpreter.h"
#include "stacks/spool.h"

namespace edgewise {

class PythonWatch {
 public:
  // A process has mapped a file executable; of interest if it may hold an
  // interpreter.
  void Mapped(pid_t pid, std::string_view path);
  void Forked(pid_t parent, pid_t child);
  // The process is gone, or runs another program.
  void Ended(pid_t pid);
  // Whether there is any process to read from.
  bool any() const { return !processes_.empty(); }

  // Fills in the frames of a thread that was just sampled, and returns what
  // SpooledSample::python_state wants. `in_time`: the sample is fresh enough
  // for the frames to belong to it. New codes go to `spool`.
  uint32_t Read(pid_t pid, pid_t tid, bool in_time, stacks::SpoolWriter& spool,
                std::vector<stacks::SpooledPythonFrame>* frames);

  // Sentences on interpreters that could not be read.
  std::vector<std::string> notes() const;

 private:
  struct Process {
    std::optional<PythonProcess> reader;
    int tries_left = 20;
    uint64_t next_try = 1;  // counted in samples
    uint64_t samples = 0;
  };
  bool Attach(pid_t pid, Process* process);

  PythonCodes codes_;
  std::map<pid_t, Process> processes_;
  std::set<std::string> refusals_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_PYTHON_WATCH_H_
