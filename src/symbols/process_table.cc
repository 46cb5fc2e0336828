#include "symbols/process_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace edgewise::symbols {
namespace {

constexpr size_t kMaxEnded = 1024;
// Programs that map and unmap code for ever must not grow without bounds.
constexpr size_t kMaxMappings = 65536;

}  // namespace

void AddressSpace::Add(const Mapping& mapping) {
  if (mapping.end <= mapping.start) {
    return;
  }
  // The first that ends beyond the new one's start.
  auto first = std::upper_bound(
      mappings_.begin(), mappings_.end(), mapping.start,
      [](uint64_t start, const Mapping& m) { return start < m.end; });
  auto last = first;
  std::vector<Mapping> pieces;
  while (last != mappings_.end() && last->start < mapping.end) {
    if (last->start < mapping.start) {
      pieces.push_back(
          {last->start, mapping.start, last->file_offset, last->file});
    }
    if (last->end > mapping.end) {
      pieces.push_back({mapping.end, last->end,
                        last->file_offset + (mapping.end - last->start),
                        last->file});
    }
    ++last;
  }
  const auto before = std::partition_point(
      pieces.begin(), pieces.end(),
      [&](const Mapping& m) { return m.start < mapping.start; });
  pieces.insert(before, mapping);
  first = mappings_.erase(first, last);
  mappings_.insert(first, pieces.begin(), pieces.end());
  if (mappings_.size() > kMaxMappings) {
    mappings_.erase(mappings_.begin());
  }
}

const Mapping* AddressSpace::Find(uint64_t address) const {
  auto next = std::upper_bound(
      mappings_.begin(), mappings_.end(), address,
      [](uint64_t value, const Mapping& m) { return value < m.start; });
  if (next == mappings_.begin() || address >= std::prev(next)->end) {
    return nullptr;
  }
  return &*std::prev(next);
}

Process& ProcessTable::Of(int32_t pid) {
  const auto [place, is_new] = processes_.try_emplace(pid);
  if (is_new) {
    place->second.space = std::make_shared<AddressSpace>();
    Begin(place->second);
  }
  return place->second;
}

void ProcessTable::Begin(Process& process) {
  process.generation = next_generation_++;
  if (const auto known = perf_maps_.find(process.generation);
      known != perf_maps_.end()) {
    process.perf_map = known->second;
  }
}

void ProcessTable::Apply(const stacks::SpooledMap& map) {
  Process& process = Of(map.pid);
  if (process.space.use_count() > 1) {
    process.space = std::make_shared<AddressSpace>(*process.space);
  }
  const uint64_t end = map.start + map.length;
  process.space->Add({map.start, end < map.start ? UINT64_MAX : end,
                      map.file_offset, map.file});
}

void ProcessTable::Apply(const stacks::SpooledLife& life) {
  using stacks::LifeEvent;
  switch (life.event) {
    case LifeEvent::kFork: {
      if (life.pid == life.parent) {
        return;
      }
      Process copy = Of(life.parent);
      // Only the thread that forked lives on, under its name; which one that
      // was is told by the name of the main thread until another is told.
      const auto main = copy.thread_names.find(life.parent);
      std::string name =
          main == copy.thread_names.end() ? std::string() : main->second;
      copy.thread_names.clear();
      if (!name.empty()) {
        copy.thread_names[life.pid] = std::move(name);
      }
      Begin(copy);
      processes_[life.pid] = std::move(copy);
      return;
    }
    case LifeEvent::kExec: {
      Process& process = Of(life.pid);
      process.space = std::make_shared<AddressSpace>();
      process.perf_map.reset();
      Begin(process);
      return;
    }
    case LifeEvent::kExit: {
      const Process* process = Find(life.pid);
      if (process == nullptr) {
        return;
      }
      ended_.emplace_back(life.pid, process->generation);
      if (ended_.size() > kMaxEnded) {
        const auto [pid, generation] = ended_.front();
        ended_.pop_front();
        const Process* oldest = Find(pid);
        if (oldest != nullptr && oldest->generation == generation) {
          processes_.erase(pid);
        }
      }
      return;
    }
    case LifeEvent::kThread:
      Of(life.pid).thread_names[life.tid] = life.name;
      return;
    case LifeEvent::kPerfMap:
      perf_maps_[Of(life.pid).generation] = life.file;
      Of(life.pid).perf_map = life.file;
      return;
  }
}

const Process* ProcessTable::Find(int32_t pid) const {
  const auto found = processes_.find(pid);
  return found == processes_.end() ? nullptr : &found->second;
}

}  // namespace edgewise::symbols
