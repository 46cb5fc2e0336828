// What a ProcessTree keeps of one member; shared by its own sources alone.
#ifndef EDGEWISE_PROBES_PROCESS_TREE_MEMBER_H_
#define EDGEWISE_PROBES_PROCESS_TREE_MEMBER_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "probes/process_tree.h"

namespace edgewise {

// The files of one process that every look reads.
struct ProcessTree::Files {
  Files(const std::filesystem::path& folder, KeptFile child_list)
      : stat(folder / "stat"),
        statm(folder / "statm"),
        io(folder / "io"),
        children(std::move(child_list)) {}
  static constexpr size_t kCount = 4;
  KeptFile stat;
  KeptFile statm;
  KeptFile io;
  KeptFile children;
};

struct ProcessTree::Process {
  std::unique_ptr<Files> kept;  // null if the descriptors are used up
  std::optional<clockid_t> cpu_clock;
  std::optional<int64_t> start_ticks;
  std::string name;
  ProcIo io;
  int64_t rss_bytes = 0;
  int64_t threads = 0;
  bool dead = false;  // a zombie
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PROCESS_TREE_MEMBER_H_
