// What the library knows of its guardian; shared by the sources of Guardian.
#ifndef EDGEWISE_CONTROLS_GUARDIAN_STATE_H_
#define EDGEWISE_CONTROLS_GUARDIAN_STATE_H_

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "controls/guardian.h"
#include "controls/guardian_protocol.h"
#include "controls/journal.h"
#include "controls/process_tree.h"

namespace edgewise {

struct Guardian::State {
  pid_t pid = 0;
  UniqueFd command;
  UniqueFd event;
  std::filesystem::path journal;
  JournalRecord record;
  CgroupFolders cgroups;
  bool dead = false;  // seen to be gone
  bool told = false;  // kGuardianDied was handed out
  bool ended = false;

  // Sends a command and waits for its reply.
  Result<guardian::Reply> Ask(const guardian::Command& question,
                              const std::vector<int>& fds = {},
                              int timeout_ms = -1);
  // The same for commands that are a text; a refusal is an error.
  Result<void> Tell(guardian::Kind kind, const std::string& text);
  // Notes a cgroup in the journal and with the guardian.
  Result<void> Announce(const std::filesystem::path& folder);
  void MarkOrphans(ProcessTable* table) const;
  // Cleans up after a guardian that was killed; always an error.
  Result<TreeUsage> EndAlone();
};

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_GUARDIAN_STATE_H_
