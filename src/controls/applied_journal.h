// The journals of `edgewise apply` and of an agent that controls apps: how
// running programs were before.
//
// Each is one small text file, HOME/applied and HOME/controlled
// (docs/formats/applied.md), from the first change until it is undone. Each
// line is written before the change that it can undo; of a thread or process
// only the first state is kept, however often plans are applied.
#ifndef EDGEWISE_CONTROLS_APPLIED_JOURNAL_H_
#define EDGEWISE_CONTROLS_APPLIED_JOURNAL_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "controls/thread_state.h"

namespace edgewise {

struct ThreadBefore {
  pid_t process = 0;
  pid_t thread = 0;
  uint64_t start_ticks = 0;  // of the thread: tells a reused number
  ThreadState state;
  bool operator==(const ThreadBefore&) const = default;
};

// A process was in that cgroup.
struct MemberBefore {
  pid_t process = 0;
  uint64_t start_ticks = 0;
  std::filesystem::path folder;
  bool operator==(const MemberBefore&) const = default;
};

// A file of a cgroup had that value.
struct SettingBefore {
  std::filesystem::path file;
  std::string value;
  bool operator==(const SettingBefore&) const = default;
};
// Whether a file may be restored: a limit in a cgroup's folder, such as
// cpu.max, by an absolute and normal path. Nothing else is ever written to.
bool IsRestorableSetting(const std::filesystem::path& file);

struct AppliedRecord {
  std::string boot_id;
  std::string pid_namespace;
  std::vector<ThreadBefore> threads;
  std::vector<MemberBefore> members;
  std::vector<std::filesystem::path> cgroups;  // that were made
  std::vector<SettingBefore> settings;         // in the order of the changes
};

// Whose journal it is.
enum class AppliedBy { kApply, kAgent };

// How cgroups that are made are called: "edgewise-applied-PID",
// "edgewise-agent-PID".
std::string AppliedFolderName(pid_t process, AppliedBy by = AppliedBy::kApply);
// Of either.
bool IsAppliedFolder(const std::filesystem::path& folder);

// kCorrupt if a line makes no sense; a last one without its end is ignored.
Result<AppliedRecord> ParseApplied(std::string_view text);
std::string FormatApplied(const AppliedRecord& record);

// The file, held by one process at a time (flock).
class AppliedJournal {
 public:
  // Opens the journal, or makes one. kBusy if another process holds it,
  // kUnsupported if it was made in another pid namespace; one of an earlier
  // boot is begun anew.
  static Result<AppliedJournal> Open(const std::filesystem::path& home,
                                     AppliedBy by = AppliedBy::kApply);
  static std::filesystem::path PathIn(const std::filesystem::path& home,
                                      AppliedBy by);

  const AppliedRecord& record() const { return record_; }
  // Each does nothing if it is there already.
  Result<void> Add(const ThreadBefore& thread);
  Result<void> Add(const MemberBefore& member);
  Result<void> AddCgroup(const std::filesystem::path& folder);
  // kInvalid if the file may not be restored.
  Result<void> Add(const SettingBefore& setting);
  // Forgets what is not in `record` any more, because it was undone.
  Result<void> Replace(AppliedRecord record);
  // When all is undone.
  void Remove();

 private:
  AppliedJournal(std::filesystem::path path, UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}
  Result<void> Append(const std::string& line);

  std::filesystem::path path_;
  UniqueFd fd_;
  AppliedRecord record_;
};

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_APPLIED_JOURNAL_H_
