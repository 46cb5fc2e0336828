// The journal of one session: what must be undone if everybody dies.
//
// A small text file, home/sessions/ID (docs/formats/journal.md), complete from
// the moment it is visible, to which folders are appended before they are made
// and old values before they are changed.
#ifndef EDGEWISE_CONTROLS_JOURNAL_H_
#define EDGEWISE_CONTROLS_JOURNAL_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct JournalOwner {
  pid_t pid = 0;
  uint64_t start_ticks = 0;
};

// A value of the kernel to put back (restore.h says which may be).
struct JournalRestore {
  std::filesystem::path path;
  int64_t value = 0;
  bool operator==(const JournalRestore&) const = default;
};

// A netem queue to remove (netem_queue.h says which may be).
struct JournalNetem {
  std::string network_namespace;  // "net:[4026531840]": where the interface is
  int32_t interface = 0;          // its index there
  int32_t handle = 0;
  std::string name;  // of the interface, for messages
  bool operator==(const JournalNetem&) const = default;
};

struct JournalRecord {
  std::string id;
  std::string boot_id;
  std::string pid_namespace;  // "pid:[4026531836]": where the pids are valid
  JournalOwner session;
  JournalOwner guardian;
  std::filesystem::path scratch;
  std::vector<std::filesystem::path> cgroups;
  std::vector<JournalRestore> restores;  // in the order of the changes
  std::vector<JournalNetem> netems;
};

// How folders of a session are called in every hierarchy: "edgewise-ID".
std::string SessionFolderName(const std::string& id);
// Letters, digits, '.', '_' and '-', at most 64, not starting with a dot.
bool IsValidSessionId(std::string_view id);

// kCorrupt if a line is missing or makes no sense. Folders not called after
// the session and files that may not be restored are such nonsense: nothing
// else may ever be removed or written to.
Result<JournalRecord> ParseJournal(std::string_view text);
std::string FormatJournal(const JournalRecord& record);

// Writes a new journal at once (via path + ".tmp").
Result<void> CreateJournal(const std::filesystem::path& path,
                           const JournalRecord& record);
Result<void> AddCgroupToJournal(const std::filesystem::path& path,
                                const std::filesystem::path& folder);
// kInvalid if the file may not be restored.
Result<void> AddRestoreToJournal(const std::filesystem::path& path,
                                 const JournalRestore& restore);
// kInvalid if it cannot be a session's.
Result<void> AddNetemToJournal(const std::filesystem::path& path,
                               const JournalNetem& netem);

// This machine's boot and this process's pid namespace; empty if unknown.
std::string CurrentBootId();
std::string CurrentPidNamespace();
// False if the pid is free, or belongs to a later process.
bool IsAlive(const JournalOwner& owner);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_JOURNAL_H_
