// ProcessTable: what every process had mapped, and what its threads were
// called, at the point of the spool that was read.
#ifndef EDGEWISE_SYMBOLS_PROCESS_TABLE_H_
#define EDGEWISE_SYMBOLS_PROCESS_TABLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stacks/spool.h"

namespace edgewise::symbols {

struct Mapping {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t file_offset = 0;
  uint32_t file = 0;  // id of a SpooledFile
};

class AddressSpace {
 public:
  // Replaces what it overlaps.
  void Add(const Mapping& mapping);
  const Mapping* Find(uint64_t address) const;
  bool empty() const { return mappings_.empty(); }

 private:
  std::vector<Mapping> mappings_;  // by start, none overlaps another
};

struct Process {
  std::shared_ptr<AddressSpace> space;  // shared with copies until changed
  std::map<int32_t, std::string> thread_names;
  std::optional<uint32_t> perf_map;  // id of a SpooledFile
  uint64_t generation = 0;           // differs for every program and process
};

class ProcessTable {
 public:
  void Apply(const stacks::SpooledMap& map);
  void Apply(const stacks::SpooledLife& life);

  // Files of names by generation, found in a spool that was read before to its
  // end: a process has its file from its beginning, not from when the sampler
  // came across it. The same records make the same generations.
  std::map<uint64_t, uint32_t> TakePerfMaps() { return std::move(perf_maps_); }
  void KnowPerfMaps(std::map<uint64_t, uint32_t> maps) {
    perf_maps_ = std::move(maps);
  }

  // nullptr if nothing is known of it. A process that ended can be found for a
  // while: its last samples may come late.
  const Process* Find(int32_t pid) const;

 private:
  Process& Of(int32_t pid);
  void Begin(Process& process);

  std::unordered_map<int32_t, Process> processes_;
  std::deque<std::pair<int32_t, uint64_t>> ended_;  // pid and generation
  uint64_t next_generation_ = 1;
  std::map<uint64_t, uint32_t> perf_maps_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_PROCESS_TABLE_H_
