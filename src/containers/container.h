// Container: one container, from its making to its end.
//
// It hangs on a guardian: that removes it, its volumes and its cgroups at the
// session's end, however that comes; SweepContainers (sweep_containers.h) does
// so if the guardian was killed too. Not thread-safe; one engine command at a
// time may run in a guardian, so the guardian is the container's alone.
#ifndef EDGEWISE_CONTAINERS_CONTAINER_H_
#define EDGEWISE_CONTAINERS_CONTAINER_H_

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/cgroups.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "containers/container_spec.h"
#include "containers/engine.h"
#include "controls/guardian.h"

namespace edgewise {

struct ImageFacts {
  std::string digest;  // "sha256:…"
};
// kNotFound if the engine does not have the image; nothing is pulled.
Result<ImageFacts> FindImage(const Engine& engine, const std::string& image);

// How it ended, as the engine has it.
struct ContainerEnd {
  std::optional<int> exit_code;
  std::optional<int> signal;
  bool never_ran = false;
  std::string complaint;  // of the engine, if it never ran
};

class Container {
 public:
  // Makes it; nothing runs yet. `spec` is completed with name, labels and
  // cgroup by the session's `id`. The guardian must outlive the container.
  static Result<Container> Create(Guardian& guardian, const Engine& engine,
                                  ContainerSpec spec,
                                  const std::filesystem::path& home,
                                  const std::string& id);
  Container(Container&&) noexcept = default;
  ~Container();

  // Makes its first process and holds it before its program runs. False where
  // the engine cannot (docker): then Start does both.
  Result<bool> Hold();
  // Lets it run, with its output on these descriptors. The guardian tells the
  // end (kExited) soon after the first process is gone.
  Result<void> Start(int stdout_fd, int stderr_fd);

  const std::string& name() const { return spec_.name; }
  // Its first process, as this machine counts; 0 if it was gone too soon to be
  // seen.
  pid_t pid() const { return pid_; }
  // Readable when the first process has ended; -1 without one.
  int pidfd() const { return pidfd_.get(); }
  // Its own groups; empty if it was gone too soon, or has none (rootless
  // engines without systemd).
  CgroupFolders Cgroups() const;
  // Whether the first process still is the engine's, about to become the app.
  bool BeforeExec() const;

  // To all of its processes.
  void Signal(int signal) const;
  // After the end that the guardian told with `status`.
  ContainerEnd End(int status) const;
  // Removes it now; for when the guardian could not.
  void Remove() const;

 private:
  Container(Guardian& guardian, Engine engine, ContainerSpec spec,
            std::filesystem::path mark);
  Result<void> FindProcess();
  Result<pid_t> AskPid() const;
  std::vector<std::string> RemoveWords() const;

  Guardian* guardian_;
  Engine engine_;
  ContainerSpec spec_;
  std::string id_;  // the engine's
  // A file that says that this container may exist.
  std::filesystem::path mark_;
  pid_t pid_ = 0;
  UniqueFd pidfd_;
  std::string engine_image_;  // the program that the first process begins as
};

}  // namespace edgewise

#endif  // EDGEWISE_CONTAINERS_CONTAINER_H_
