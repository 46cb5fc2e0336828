// ChildSession: a session in a process of its own, beside others.
//
// The process that owns it must have no Store open when it starts one: SQLite
// must not be carried across a fork. The child opens its own. If the owner is
// killed the child is too, and the guardian of its session cleans up.
#ifndef EDGEWISE_EXPERIMENTS_CHILD_SESSION_H_
#define EDGEWISE_EXPERIMENTS_CHILD_SESSION_H_

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "sessions/settings.h"

namespace edgewise {

struct ChildSessionPlan {
  SessionSettings settings;
  // How long the program runs before the child says that it is ready.
  int64_t settle_ns = 0;
  // Starts the program again whenever it ends well, until Stop().
  bool keep_going = false;
};

class ChildSession {
 public:
  static Result<std::unique_ptr<ChildSession>> Start(
      const std::filesystem::path& home, const ChildSessionPlan& plan);
  // Ends what still runs, in order, and waits for it.
  ~ChildSession();
  ChildSession(const ChildSession&) = delete;
  ChildSession& operator=(const ChildSession&) = delete;

  // Readable when Read() has news; -1 once the child is gone.
  int fd() const { return fd_.get(); }
  // Takes what the child said.
  void Read();
  // Asks the child to end its program; it still tells of the Run.
  void Stop();

  bool ready() const { return ready_; }
  bool over() const { return !fd_.valid(); }
  // Ids of its Runs so far, in order.
  const std::vector<std::string>& run_ids() const { return run_ids_; }
  // Why it gave up; empty if it did not.
  const std::string& failure() const { return failure_; }
  ErrorCode failure_code() const { return failure_code_; }

 private:
  ChildSession(pid_t pid, UniqueFd fd) : pid_(pid), fd_(std::move(fd)) {}
  void Take(const std::string& line);
  void Reap();

  pid_t pid_;
  UniqueFd fd_;
  std::string buffer_;
  bool ready_ = false;
  bool stopped_ = false;
  std::vector<std::string> run_ids_;
  std::string failure_;
  ErrorCode failure_code_ = ErrorCode::kIo;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CHILD_SESSION_H_
