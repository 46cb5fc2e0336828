// ChildProgram: a program that we started, and its end.
#ifndef EDGEWISE_BASE_CHILD_PROGRAM_H_
#define EDGEWISE_BASE_CHILD_PROGRAM_H_

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace edgewise {

// A child's end in words: "exit code 3", "killed by signal 9".
std::string EndText(int wait_status);

class ChildProgram {
 public:
  // Descriptors of the child by number; those of ours that they are made of
  // stay open here.
  struct Descriptors {
    int input = -1;   // -1: /dev/null
    int output = -1;  // -1: our own
    int errors = -1;  // -1: our own
    int report = -1;  // -1: none; else number 3 in the child
  };

  // The first word is looked for in PATH. Signals are as they were at the start
  // of this process: none blocked.
  static Result<ChildProgram> Start(
      const std::vector<std::string>& command, const Descriptors& descriptors,
      const std::map<std::string, std::string>& environment = {});

  ChildProgram(ChildProgram&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        status_(std::exchange(other.status_, std::nullopt)) {}
  ChildProgram& operator=(ChildProgram&&) = delete;
  // Does not end it; whoever starts a program ends it with Stop or Wait.
  ~ChildProgram() = default;

  pid_t pid() const { return pid_; }
  // The wait status if it is over; asks the system.
  std::optional<int> Ended();
  // Waits for its end.
  int Wait();
  // SIGTERM, and SIGKILL if that did not help within `grace_ns`. Waits.
  int Stop(int64_t grace_ns);
  void Signal(int number) const;

 private:
  explicit ChildProgram(pid_t pid) : pid_(pid) {}

  pid_t pid_;
  std::optional<int> status_;
};

}  // namespace edgewise

#endif  // EDGEWISE_BASE_CHILD_PROGRAM_H_
