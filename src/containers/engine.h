// Engine: podman or docker, as it is installed here.
//
// The room `containers` knows engines and the life of one container; it must
// not know what is measured of it. Engines are used through their command line:
// it is what users have, it finds its own configuration, and no daemon's
// protocol has to be linked in.
#ifndef EDGEWISE_CONTAINERS_ENGINE_H_
#define EDGEWISE_CONTAINERS_ENGINE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "appfile/app_file.h"
#include "base/clock.h"
#include "base/result.h"
#include "controls/guardian.h"

namespace edgewise {

struct Engine {
  enum class Kind { kPodman, kDocker };
  Kind kind = Kind::kPodman;
  std::string program;              // with its path
  std::vector<std::string> global;  // options before each of its commands
  std::vector<std::string> create;  // options of each `create`
  // Containers may be put below a cgroup of our choice.
  bool takes_cgroup_parent = false;

  const char* name() const {
    return kind == Kind::kPodman ? "podman" : "docker";
  }
  // The whole command line of one of its commands.
  std::vector<std::string> Words(const std::vector<std::string>& command) const;
};

// Finds the engine in PATH and asks it whether it works for this user.
// kUnsupported: none is installed or it does not answer; kPermission: this user
// may not use it. The sentence says what to do.
Result<Engine> FindEngine(EngineChoice choice);

struct EngineAnswer {
  int exit_code = 0;  // 128 + signal if it was killed
  std::string output;
  std::string errors;

  bool ok() const { return exit_code == 0; }
  // What it complains about: the line of `errors` that begins with "Error: ",
  // else the last one.
  std::string Complaint() const;
};

inline constexpr int64_t kEngineAnswersNs = 60 * kNsPerSecond;

// Runs one of its commands to the end. kIo if it does not end in time.
Result<EngineAnswer> AskEngine(const Engine& engine,
                               const std::vector<std::string>& command,
                               int64_t timeout_ns = kEngineAnswersNs);
// The same as a program of the guardian: if this process dies, the guardian
// waits for the command before it clears up what that made.
Result<EngineAnswer> AskEngine(Guardian& guardian, const Engine& engine,
                               const std::vector<std::string>& command,
                               const std::string& cwd);

// A launch of one of its commands by the guardian: outside of the session's
// cgroups, with our environment.
LaunchRequest EngineRequest(const Engine& engine,
                            const std::vector<std::string>& command,
                            const std::string& cwd);

}  // namespace edgewise

#endif  // EDGEWISE_CONTAINERS_ENGINE_H_
