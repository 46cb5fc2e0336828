// MappedFiles: the files that measured processes run code from, held open
// while those processes live, so that they can be read when they are gone.
//
// A file is known by its device and inode: a program that is started ten
// thousand times is opened once. Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_MAPPED_FILES_H_
#define EDGEWISE_PROBES_STACKS_MAPPED_FILES_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/unique_fd.h"
#include "probes/stacks/sample_record.h"
#include "stacks/spool.h"

namespace edgewise {

class MappedFiles {
 public:
  // At most this many files are held open; of more only the path is known.
  static constexpr size_t kMostOpen = 400;

  explicit MappedFiles(std::filesystem::path proc_root = "/proc");

  // The file behind a kMap record; a new one is written to `spool`.
  uint32_t IdOf(const PerfRecord& map, stacks::SpoolWriter& spool);
  // Where a process writes the names of its compiled code, if it does:
  // /tmp/perf-PID.map of its own file system. 0 if there is no such file.
  uint32_t PerfMapOf(pid_t pid, stacks::SpoolWriter& spool);

  // Descriptors by file id, for the unwinder; they stay with this object.
  std::map<uint32_t, int> Descriptors() const;

 private:
  uint32_t Add(stacks::SpooledFile file, UniqueFd fd,
               stacks::SpoolWriter& spool);
  UniqueFd Open(const PerfRecord& map, std::string* why_not) const;

  std::filesystem::path proc_root_;
  uint32_t next_id_ = 1;
  // Device, inode, generation; 0, 0, 0 and a text for what is no file.
  std::map<std::tuple<uint64_t, uint64_t, uint64_t, std::string>, uint32_t>
      ids_;
  std::map<uint32_t, UniqueFd> open_;
};

// The executable mappings that a process has now, as kMap records; `names`
// holds the texts they refer to.
std::vector<PerfRecord> ReadExecutableMaps(
    pid_t pid, std::vector<std::string>* names,
    const std::filesystem::path& proc_root = "/proc");

// The names of the threads that a process has now.
std::vector<stacks::SpooledLife> ReadThreadNames(
    pid_t pid, const std::filesystem::path& proc_root = "/proc");

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_MAPPED_FILES_H_
