// A home folder and session id for one test, and the check that nothing of the
// session is left anywhere.
#ifndef EDGEWISE_TESTS_CONTROLS_TEMPORARY_HOME_H_
#define EDGEWISE_TESTS_CONTROLS_TEMPORARY_HOME_H_

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "controls/guardian.h"

namespace edgewise {

class TemporaryHome {
 public:
  TemporaryHome();
  ~TemporaryHome();
  TemporaryHome(const TemporaryHome&) = delete;
  TemporaryHome& operator=(const TemporaryHome&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Different in each object and process.
  const std::string& id() const { return id_; }
  // What is left of the session: processes, cgroups, folders and files, in
  // words; empty if nothing.
  std::vector<std::string> Left() const;
  std::vector<pid_t> Processes() const;

 private:
  std::filesystem::path path_;
  std::string id_;
};

// The test helper program, beside the test program.
std::string HelperPath();

// A request for the helper, with an environment that names the session.
LaunchRequest HelperRequest(const std::string& id,
                            std::vector<std::string> arguments);

// Waits for the next event; nullopt if none comes in a time that only a hang
// can take.
std::optional<GuardianEvent> WaitForEvent(Guardian* guardian);

// A pipe; Drain reads to the end of file.
struct Pipe {
  Pipe();
  std::string Drain();
  // Reads up to and including a newline.
  std::string ReadLine();
  UniqueFd read_end;
  UniqueFd write_end;
};

// Waits until no process has the pid (or a zombie only); false on a hang.
bool WaitUntilGone(pid_t pid);

// The reason why cgroups cannot be made here, or nullopt if they can.
std::optional<std::string> WhyNoCgroups();

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_CONTROLS_TEMPORARY_HOME_H_
