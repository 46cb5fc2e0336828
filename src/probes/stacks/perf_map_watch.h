// PerfMapWatch: finds the files in which programs write the names of the code
// that they compile at run time.
//
// No event tells of such code (a program changes the protection of memory that
// it has), so whether a sampled process writes a file is looked up after a
// while, after twice as long and so on, and when it ends. Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_PERF_MAP_WATCH_H_
#define EDGEWISE_PROBES_STACKS_PERF_MAP_WATCH_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>

#include "probes/stacks/mapped_files.h"
#include "stacks/spool.h"

namespace edgewise {

class PerfMapWatch {
 public:
  // Both must outlive this object: where files are held, and where it is told.
  PerfMapWatch(MappedFiles& files, stacks::SpoolWriter& spool)
      : files_(files), spool_(spool) {}

  void Sampled(pid_t pid, int64_t now_ns);
  // Looks for what is due.
  void Look(int64_t now_ns);
  // The process is gone; its file may not be.
  void Ended(pid_t pid);
  // A last look for all that are left.
  void Finish();

 private:
  struct Due {
    int64_t at_ns = 0;
    int64_t interval_ns = 0;
  };
  bool Find(pid_t pid);

  MappedFiles& files_;
  stacks::SpoolWriter& spool_;
  std::set<pid_t> sampled_;
  std::map<pid_t, Due> missing_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_PERF_MAP_WATCH_H_
