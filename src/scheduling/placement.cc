#include "scheduling/placement.h"

#include <algorithm>
#include <limits>

namespace edgewise::scheduling {
namespace {

constexpr size_t kMostKnown = 1'000'000;

double LoadOf(const Task& task) { return Utilisation({&task, 1}); }

}  // namespace

Placement::Placement(std::span<const Task> tasks, const Platform& platform,
                     const CoreTest& test)
    : tasks_(tasks), platform_(platform), test_(test) {
  for (const MemoryGroup& group : platform.memory) {
    groups_.push_back({group.memory_bytes});
  }
  groups_.push_back({std::numeric_limits<int64_t>::max()});
  for (const int number : platform.cores) {
    Core core;
    core.group = 0;
    while (core.group < platform.memory.size() &&
           std::ranges::count(platform.memory[core.group].cores, number) == 0) {
      ++core.group;
    }
    cores_.push_back(std::move(core));
  }
}

size_t Placement::UsedCores() const {
  return static_cast<size_t>(std::ranges::count_if(
      cores_, [](const Core& core) { return !core.tasks.empty(); }));
}

bool Placement::Allows(size_t task, size_t core) const {
  const std::vector<int>& allowed = tasks_[task].cores;
  return allowed.empty() ||
         std::ranges::count(allowed, platform_.cores[core]) > 0;
}

bool Placement::AreAlike(size_t a, size_t b) const {
  if (cores_[a].group != cores_[b].group) return false;
  for (size_t task = 0; task < tasks_.size(); ++task) {
    if (Allows(task, a) != Allows(task, b)) return false;
  }
  return true;
}

bool Placement::HoldsInGroup(size_t task, size_t group) const {
  return std::ranges::any_of(cores_, [&](const Core& core) {
    return core.group == group && std::ranges::count(core.tasks, task) > 0;
  });
}

bool Placement::HasMemoryFor(size_t task, size_t core) const {
  const size_t group = cores_[core].group;
  return tasks_[task].memory_bytes <= groups_[group].left_bytes ||
         HoldsInGroup(task, group);
}

Result<bool> Placement::Passes(const std::vector<size_t>& together) {
  uint64_t set = 0;
  if (tasks_.size() <= 64) {
    for (const size_t task : together) set |= uint64_t{1} << task;
    const auto known = known_.find(set);
    if (known != known_.end()) return known->second;
  }
  std::vector<Task> chosen;
  chosen.reserve(together.size());
  for (const size_t task : together) chosen.push_back(tasks_[task]);
  Result<bool> passed = test_(chosen);
  if (passed.ok() && set != 0 && known_.size() < kMostKnown) {
    known_.emplace(set, *passed);
  }
  return passed;
}

Result<bool> Placement::Fits(size_t task, size_t core) {
  if (cores_[core].whole || !Allows(task, core) || !HasMemoryFor(task, core)) {
    return false;
  }
  if (tasks_[task].whole_cores > 0 && !IsEmpty(core)) return false;
  std::vector<size_t> together = cores_[core].tasks;
  together.push_back(task);
  return Passes(together);
}

void Placement::Add(size_t task, size_t core) {
  if (!HoldsInGroup(task, cores_[core].group)) {
    groups_[cores_[core].group].left_bytes -= tasks_[task].memory_bytes;
  }
  cores_[core].tasks.push_back(task);
  cores_[core].load += LoadOf(tasks_[task]);
  cores_[core].whole = tasks_[task].whole_cores > 0;
}

void Placement::Remove(size_t task, size_t core) {
  cores_[core].tasks.pop_back();
  cores_[core].load -= LoadOf(tasks_[task]);
  cores_[core].whole = false;
  if (!HoldsInGroup(task, cores_[core].group)) {
    groups_[cores_[core].group].left_bytes += tasks_[task].memory_bytes;
  }
}

void Placement::Clear() {
  for (size_t core = 0; core < cores_.size(); ++core) {
    while (!IsEmpty(core)) Remove(cores_[core].tasks.back(), core);
  }
}

std::vector<std::vector<int>> Placement::CoresOf() const {
  std::vector<std::vector<int>> cores_of(tasks_.size());
  for (size_t core = 0; core < cores_.size(); ++core) {
    for (const size_t task : cores_[core].tasks) {
      cores_of[task].push_back(platform_.cores[core]);
    }
  }
  return cores_of;
}

}  // namespace edgewise::scheduling
