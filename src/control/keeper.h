// Keeper: a small process that undoes what an agent has changed if the agent
// is killed.
#ifndef EDGEWISE_CONTROL_KEEPER_H_
#define EDGEWISE_CONTROL_KEEPER_H_

#include <sys/types.h>

#include <filesystem>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise::control {

class Keeper {
 public:
  // Forks: to be called before there are threads. The keeper is in a session of
  // its own and ends with this process, after undoing by the journal in `home`
  // whatever is left then.
  static Result<Keeper> Start(const std::filesystem::path& home);
  Keeper(Keeper&&) noexcept = default;
  Keeper& operator=(Keeper&&) noexcept = default;
  // Lets it go, and waits for its end.
  ~Keeper();

  pid_t pid() const { return pid_; }

 private:
  Keeper(pid_t pid, UniqueFd life) : pid_(pid), life_(std::move(life)) {}

  pid_t pid_ = 0;
  UniqueFd life_;  // the keeper sees it close
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_KEEPER_H_
