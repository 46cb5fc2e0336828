// A session in a process of its own, to be killed.
#ifndef EDGEWISE_TESTS_CONTROLS_SESSION_PROCESS_H_
#define EDGEWISE_TESTS_CONTROLS_SESSION_PROCESS_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "temporary_home.h"

namespace edgewise {

// The helper's "session" behaviour; with `sysfs_root` it also holds all cores
// of that tree at 600 MHz.
class SessionProcess {
 public:
  SessionProcess(const TemporaryHome& home, bool cgroups,
                 const std::string& sysfs_root = "");
  // The helper with other words.
  explicit SessionProcess(const std::vector<std::string>& arguments);
  ~SessionProcess() { Kill(); }
  SessionProcess(const SessionProcess&) = delete;
  SessionProcess& operator=(const SessionProcess&) = delete;

  void WaitUntilReady();
  void Kill();
  // Kills its guardian first, while it is stopped and cannot react, then it.
  void KillWithGuardian();
  pid_t pid() const { return pid_; }

 private:
  Pipe output_;
  pid_t pid_ = 0;
};

// Children of a process, as they are now.
std::vector<pid_t> ChildrenOf(pid_t parent);

// False on a hang.
bool WaitUntilNothingIsLeft(const TemporaryHome& home);

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_CONTROLS_SESSION_PROCESS_H_
