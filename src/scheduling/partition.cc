#include "scheduling/partition.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/units.h"
#include "scheduling/fractions.h"
#include "scheduling/partition_search.h"
#include "scheduling/placement.h"

namespace edgewise::scheduling {
namespace {

std::string FitName(Fit fit) {
  switch (fit) {
    case Fit::kFirst:
      return "First fit";
    case Fit::kBest:
      return "Best fit";
    case Fit::kWorst:
      return "Worst fit";
  }
  return "";
}

Result<void> CheckPlatform(std::span<const Task> tasks,
                           const Platform& platform) {
  const auto invalid = [](std::string message) {
    return Error{ErrorCode::kInvalid, std::move(message)};
  };
  if (platform.cores.empty()) {
    return invalid("There are no cores to plan for; name at least one.");
  }
  const std::set<int> cores(platform.cores.begin(), platform.cores.end());
  if (cores.size() != platform.cores.size()) {
    return invalid("A core is named twice; name each core once.");
  }
  std::set<int> grouped;
  for (const MemoryGroup& group : platform.memory) {
    for (const int core : group.cores) {
      if (!grouped.insert(core).second) {
        return invalid("Core " + std::to_string(core) +
                       " is in two groups of memory; put it into one.");
      }
    }
  }
  for (const Task& task : tasks) {
    if (!task.cores.empty() && std::ranges::none_of(task.cores, [&](int core) {
          return cores.contains(core);
        })) {
      return invalid("Task \"" + task.name + "\" may run on " +
                     FormatCpuList(task.cores) + " only, but the cores are " +
                     FormatCpuList({cores.begin(), cores.end()}) +
                     "; allow it one of them.");
    }
  }
  return {};
}

// Why there can be no partition, if a look at single tasks and the total load
// shows it.
Result<std::optional<std::string>> PlainReason(std::span<const Task> tasks,
                                               const Platform& platform,
                                               const CoreTest& test) {
  std::vector<Task> shared;
  int64_t left = static_cast<int64_t>(platform.cores.size());
  for (const Task& task : tasks) {
    left -= task.whole_cores;
    if (task.whole_cores == 0) shared.push_back(task);
    Result<bool> alone = test({&task, 1});
    if (!alone.ok()) return alone.error();
    if (!*alone) {
      return std::optional("task \"" + task.name +
                           "\" misses deadlines even alone on a core");
    }
  }
  if (left < 0 || CompareSum(UtilisationOf(shared), left) > 0) {
    return std::optional<std::string>(
        "the tasks load more cores than there are");
  }
  return std::optional<std::string>();
}

// The core that the rule prefers among those that hold the task.
Result<std::optional<size_t>> ChooseCore(size_t task, Fit fit,
                                         Placement* placement) {
  std::optional<size_t> chosen;
  for (size_t core = 0; core < placement->core_count(); ++core) {
    if (chosen) {
      const double load = placement->Load(core);
      const double best = placement->Load(*chosen);
      if (fit == Fit::kFirst) break;
      if (fit == Fit::kBest ? load <= best : load >= best) continue;
    }
    Result<bool> fits = placement->Fits(task, core);
    if (!fits.ok()) return fits.error();
    if (*fits) chosen = core;
  }
  return chosen;
}

// Whole cores from the end of the list, so that the first stay together.
Result<bool> PlaceWhole(size_t task, int whole_cores, Placement* placement) {
  for (size_t core = placement->core_count(); core > 0 && whole_cores > 0;
       --core) {
    Result<bool> fits = placement->Fits(task, core - 1);
    if (!fits.ok()) return fits;
    if (!*fits) continue;
    placement->Add(task, core - 1);
    --whole_cores;
  }
  return whole_cores == 0;
}

Result<bool> PlaceAll(std::span<const Task> tasks,
                      const std::vector<size_t>& order, Fit fit,
                      Placement* placement) {
  for (const size_t task : order) {
    if (tasks[task].whole_cores > 0) {
      Result<bool> placed =
          PlaceWhole(task, tasks[task].whole_cores, placement);
      if (!placed.ok() || !*placed) return placed;
      continue;
    }
    Result<std::optional<size_t>> core = ChooseCore(task, fit, placement);
    if (!core.ok()) return core.error();
    if (!*core) return false;
    placement->Add(task, **core);
  }
  return true;
}

// Fewer and fewer cores, or any partition if none is known.
Result<Partition> Search(std::span<const Task> tasks, const Platform& platform,
                         const CoreTest& test, const PartitionRequest& request,
                         Partition best, size_t most_cores) {
  Placement placement(tasks, platform, test);
  PartitionSearch search(tasks, &placement);
  while (true) {
    const Result<PartitionOutcome> outcome =
        search.Run(most_cores, request.most_nodes);
    if (!outcome.ok()) return outcome.error();
    best.nodes = search.nodes();
    const std::string nodes = FormatCount(best.nodes, "node");
    const bool known = best.outcome == PartitionOutcome::kFound;
    if (*outcome == PartitionOutcome::kUndecided) {
      best.statement = known ? best.statement +
                                   " Whether fewer cores would do was not "
                                   "decided within " +
                                   nodes + "."
                             : "Whether a partition exists was not decided "
                               "within " +
                                   nodes + ".";
      if (!known) best.outcome = PartitionOutcome::kUndecided;
      return best;
    }
    if (*outcome == PartitionOutcome::kNone) {
      best.proven_fewest = known;
      best.statement =
          known ? best.statement + " No partition uses fewer cores (" + nodes +
                      " searched)."
                : "No partition exists: all " + nodes + " were searched.";
      return best;
    }
    best.outcome = PartitionOutcome::kFound;
    best.cores_of = placement.CoresOf();
    best.statement =
        "An exact search found a partition onto " +
        FormatCount(static_cast<int64_t>(placement.UsedCores()), "core") + ".";
    if (!request.fewest_cores || placement.UsedCores() == 0) return best;
    most_cores = placement.UsedCores() - 1;
    placement.Clear();
  }
}

}  // namespace

Result<Partition> MakePartition(std::span<const Task> tasks,
                                const Platform& platform, const CoreTest& test,
                                const PartitionRequest& request) {
  Result<void> valid = CheckTasks(tasks);
  if (valid.ok()) valid = CheckPlatform(tasks, platform);
  if (!valid.ok()) return valid.error();
  Partition best;
  Result<std::optional<std::string>> reason =
      PlainReason(tasks, platform, test);
  if (!reason.ok()) return reason.error();
  if (*reason) {
    best.statement = "No partition exists: " + **reason + ".";
    return best;
  }
  std::vector<size_t> order = LargestFirst(tasks);
  if (!request.decreasing) {
    std::iota(order.begin(), order.end(), size_t{0});
  }
  size_t most_cores = platform.cores.size();
  for (const Fit fit : request.fits) {
    Placement placement(tasks, platform, test);
    Result<bool> placed = PlaceAll(tasks, order, fit, &placement);
    if (!placed.ok()) return placed.error();
    if (!*placed) continue;
    best.outcome = PartitionOutcome::kFound;
    best.cores_of = placement.CoresOf();
    best.statement =
        FitName(fit) + " found a partition onto " +
        FormatCount(static_cast<int64_t>(placement.UsedCores()), "core") + ".";
    if (!request.fewest_cores || placement.UsedCores() == 0) return best;
    most_cores = placement.UsedCores() - 1;
    break;
  }
  if (!request.search && best.outcome != PartitionOutcome::kFound) {
    best.statement = "The heuristics found no partition; there may be one.";
    return best;
  }
  return Search(tasks, platform, test, request, std::move(best), most_cores);
}

}  // namespace edgewise::scheduling
