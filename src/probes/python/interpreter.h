// PythonProcess: the Python functions that a process's threads are in, read
// from outside while it runs.
//
// The process needs no preparation and is not stopped. Knows CPython 3.11 and
// 3.12, in an executable or in libpython. Needs the right to ptrace the
// process. Knows nothing of native frames. Not thread-safe.
#ifndef EDGEWISE_PROBES_PYTHON_INTERPRETER_H_
#define EDGEWISE_PROBES_PYTHON_INTERPRETER_H_

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "probes/python/codes.h"
#include "probes/python/frame_reader.h"
#include "probes/python/python_files.h"
#include "stacks/spool.h"

namespace edgewise {

class PythonProcess {
 public:
  // Looks whether the process runs CPython now. After an exec, and when a
  // process maps a file for which MayHoldPython, it is time to look again; the
  // interpreter need not have started yet. nullopt if there is none. Errors:
  // kUnsupported for a version whose frames cannot be read (the message says
  // which), kPermission (the message says which setting or user), kNotFound
  // when the process is gone. `codes` must outlive the object.
  static Result<std::optional<PythonProcess>> Attach(
      pid_t pid, PythonCodes* codes,
      const std::filesystem::path& proc_root = "/proc");

  // The same for a child that was forked and has not called exec: it has
  // everything at the same addresses, so that there is nothing to look for.
  PythonProcess ForFork(pid_t child) const;

  // Frames of the thread, innermost first; empty if it runs no Python now.
  // nullopt when what was read made no sense several times: the thread runs
  // on, or is gone. `tid` counts in our pid namespace.
  std::optional<std::vector<stacks::SpooledPythonFrame>> Read(pid_t tid);

  python::Version version() const { return {3, layout_->minor}; }

 private:
  PythonProcess(pid_t pid, const python::Layout& layout,
                const python::RuntimePlace& place, PythonCodes* codes,
                std::filesystem::path proc_root);
  // In the innermost pid namespace of the process; nullopt if it is gone.
  std::optional<pid_t> NativeTid(pid_t tid);

  pid_t pid_;
  const python::Layout* layout_;
  python::RuntimePlace place_;
  PythonCodes* codes_;
  std::filesystem::path proc_root_;
  bool own_pid_namespace_ = false;
  std::unordered_map<pid_t, pid_t> native_tids_;  // where it has its own
  std::unique_ptr<python::FrameReader> reader_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PYTHON_INTERPRETER_H_
