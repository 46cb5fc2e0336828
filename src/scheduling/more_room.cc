#include "scheduling/more_room.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "scheduling/sensitivity.h"

namespace edgewise::scheduling {
namespace {

using CoresOf = std::vector<std::vector<int>>;

constexpr int kMostLooks = 20'000;

class RoomSearch {
 public:
  RoomSearch(std::span<const Task> tasks, const std::vector<int>& cores,
             const CoreTest& test)
      : tasks_(tasks), cores_(cores), test_(test) {}

  CoresOf Improve(CoresOf at) {
    int64_t best = LeastRoom(at);
    while (true) {
      CoresOf next = at;
      const int64_t before = best;
      for (size_t a = 0; a < tasks_.size(); ++a) {
        for (const int core : cores_) {
          Try(Moved(at, a, core), next, best);
        }
        for (size_t b = 0; b < a; ++b) {
          CoresOf swapped = Moved(at, a, at[b].front());
          Try(Moved(std::move(swapped), b, at[a].front()), next, best);
        }
      }
      if (best == before || looks_ > kMostLooks) return at;
      at = std::move(next);
    }
  }

 private:
  void Try(CoresOf changed, CoresOf& next, int64_t& best) {
    if (++looks_ > kMostLooks || !Allowed(changed)) return;
    if (const int64_t room = LeastRoom(changed); room > best) {
      best = room;
      next = std::move(changed);
    }
  }

  static CoresOf Moved(CoresOf cores_of, size_t task, int core) {
    cores_of[task] = {core};
    return cores_of;
  }

  bool Allowed(const CoresOf& cores_of) const {
    for (size_t i = 0; i < tasks_.size(); ++i) {
      const Task& task = tasks_[i];
      const int core = cores_of[i].front();
      if (task.whole_cores > 0 ||
          (!task.cores.empty() && std::ranges::count(task.cores, core) == 0)) {
        return false;
      }
    }
    return true;
  }

  // Of the tightest core, in thousandths; 0 where the test says no.
  int64_t LeastRoom(const CoresOf& cores_of) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (const int core : cores_) {
      uint32_t members = 0;
      for (size_t i = 0; i < tasks_.size(); ++i) {
        if (cores_of[i].front() == core) members |= uint32_t{1} << i;
      }
      if (members != 0) least = std::min(least, RoomOf(members));
    }
    return least;
  }

  int64_t RoomOf(uint32_t members) {
    const auto known = rooms_.find(members);
    if (known != rooms_.end()) return known->second;
    std::vector<Task> together;
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if ((members >> i & 1) != 0) together.push_back(tasks_[i]);
    }
    const Result<std::optional<int64_t>> scale =
        LargestScalePermille(together, test_);
    const int64_t room = scale.ok() ? scale->value_or(0) : 0;
    rooms_.emplace(members, room);
    return room;
  }

  std::span<const Task> tasks_;
  const std::vector<int>& cores_;
  const CoreTest& test_;
  std::map<uint32_t, int64_t> rooms_;
  int looks_ = 0;
};

}  // namespace

std::vector<std::vector<int>> WithMoreRoom(
    std::span<const Task> tasks, std::vector<std::vector<int>> cores_of,
    const std::vector<int>& cores, const CoreTest& test) {
  if (tasks.size() > kMostTasksToMove) return cores_of;
  // Tasks with whole cores keep them; the others share the rest.
  std::vector<Task> movable;
  std::vector<size_t> places;
  std::vector<int> free = cores;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].whole_cores > 0) {
      std::erase_if(free, [&](int core) {
        return std::ranges::count(cores_of[i], core) > 0;
      });
    } else {
      movable.push_back(tasks[i]);
      places.push_back(i);
    }
  }
  if (movable.empty() || free.size() < 2) return cores_of;
  CoresOf part;
  for (const size_t place : places) part.push_back(cores_of[place]);
  part = RoomSearch(movable, free, test).Improve(std::move(part));
  for (size_t k = 0; k < places.size(); ++k) cores_of[places[k]] = part[k];
  return cores_of;
}

}  // namespace edgewise::scheduling
