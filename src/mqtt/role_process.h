// RoleProcess: a role in a process of its own, as its conductor sees it.
#ifndef EDGEWISE_MQTT_ROLE_PROCESS_H_
#define EDGEWISE_MQTT_ROLE_PROCESS_H_

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/child_program.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "mqtt/pipeline_settings.h"

namespace edgewise::mqtt {

class RoleProcess {
 public:
  static Result<RoleProcess> Start(PipelineSettings settings, Role role);

  Role role() const { return role_; }
  pid_t pid() const { return child_.pid(); }
  int fd() const { return reports_.get(); }  // readable: call Read
  // Takes what it said.
  void Read();
  // The next line it said.
  std::optional<std::string> NextLine();
  void Say(std::string_view line);
  // Asks the system.
  std::optional<int> Ended() { return child_.Ended(); }
  // What it said of its failure, if it did.
  const std::optional<Error>& failure() const { return failure_; }
  void Terminate() { child_.Signal(15); }
  int Stop(int64_t grace_ns) { return child_.Stop(grace_ns); }

 private:
  RoleProcess(Role role, ChildProgram child, UniqueFd commands,
              UniqueFd reports)
      : role_(role),
        child_(std::move(child)),
        commands_(std::move(commands)),
        reports_(std::move(reports)) {}

  Role role_;
  ChildProgram child_;
  UniqueFd commands_;
  UniqueFd reports_;
  std::string buffer_;
  std::deque<std::string> lines_;
  std::optional<Error> failure_;
};

// How a role says its failure to its conductor.
std::string FailureLine(const Error& error);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_ROLE_PROCESS_H_
