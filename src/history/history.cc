#include "history/history.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"
#include "history/run_identity.h"
#include "history/version_changes.h"
#include "stats/repeats.h"
#include "store/pooled_samples.h"
#include "store/samples.h"
#include "store/totals.h"

namespace edgewise {
namespace {

template <typename Read>
std::optional<RunFigure> FigureOf(const std::vector<Run>& runs, Read read) {
  std::vector<double> values;
  for (const Run& run : runs) {
    if (const std::optional<double> value = read(run)) {
      values.push_back(*value);
    }
  }
  const auto mean = stats::EstimateRepeats(values);
  if (!mean) {
    return std::nullopt;
  }
  return RunFigure{std::ssize(values), *mean,
                   *std::max_element(values.begin(), values.end())};
}

Result<void> FillProfile(const Store& store, VersionProfile& profile) {
  const std::vector<Run>& runs = profile.runs;
  profile.wall_s =
      FigureOf(runs, [](const Run& run) { return run.totals.wall_s; });
  profile.cpu_cores = FigureOf(runs, CpuCores);
  profile.memory_bytes = FigureOf(runs, PeakMemoryBytes);
  profile.gpu_memory_bytes = FigureOf(runs, PeakGpuMemoryBytes);
  profile.energy_j =
      FigureOf(runs, [](const Run& run) { return run.totals.energy_j; });
  const auto pools = PoolSamples(store, runs);
  if (!pools) {
    return pools.error();
  }
  for (const SamplePool& pool : *pools) {
    profile.spans.push_back(AnalyseSamples(pool.parts));
    profile.spans.back().name = pool.name;
  }
  return {};
}

// Runs of the app into lines and versions; oldest first.
void Sort(std::vector<Run> runs, History& history) {
  std::map<std::pair<std::string, std::string>, HistoryLine> lines;
  std::map<std::pair<std::string, std::string>, int64_t> newest;
  for (Run& run : runs) {
    const RunIdentity identity = IdentityOf(run);
    const std::pair key{identity.target, run.machine.fingerprint};
    HistoryLine& line = lines[key];
    line.target = identity.target;
    line.machine = run.machine;
    newest[key] = run.started_utc_ns;
    auto version = std::find_if(
        line.versions.begin(), line.versions.end(),
        [&](const auto& v) { return v.version == identity.version; });
    if (version == line.versions.end()) {
      version = line.versions.insert(line.versions.end(), VersionProfile{});
      version->version = identity.version;
    }
    if (WentWell(run)) {
      version->runs.push_back(std::move(run));
    } else {
      ++version->failed;
      ++history.failed;
    }
  }
  std::vector<std::pair<int64_t, HistoryLine>> ordered;
  for (auto& [key, line] : lines) {
    std::erase_if(line.versions, [](const auto& v) { return v.runs.empty(); });
    if (!line.versions.empty()) {
      ordered.emplace_back(newest[key], std::move(line));
    }
  }
  std::stable_sort(
      ordered.begin(), ordered.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [when, line] : ordered) {
    history.lines.push_back(std::move(line));
  }
}

void FindWorstMemory(History& history) {
  for (const HistoryLine& line : history.lines) {
    for (const VersionProfile& version : line.versions) {
      for (const Run& run : version.runs) {
        const auto bytes = PeakMemoryBytes(run);
        if (bytes &&
            (!history.worst_memory ||
             *bytes > static_cast<double>(history.worst_memory->bytes))) {
          history.worst_memory = {static_cast<int64_t>(*bytes), run.id,
                                  version.version, line.target,
                                  line.machine.hostname};
        }
      }
    }
  }
}

Result<void> FindFunctions(const Store& store, History& history) {
  for (const HistoryLine& line : history.lines) {
    for (auto version = line.versions.rbegin(); version != line.versions.rend();
         ++version) {
      const auto profile = PooledStacks(store, version->runs);
      if (!profile) {
        return profile.error();
      }
      if (*profile) {
        StackAnalysis analysis;
        analysis.functions = stacks::RankFunctions(**profile);
        analysis.collection = (*profile)->collection;
        analysis.total = (*profile)->total();
        history.functions_version = version->version;
        history.functions = std::move(analysis);
        return {};
      }
    }
  }
  return {};
}

bool DifferInConditions(const Run& a, const Run& b) {
  return a.conditions.cpus != b.conditions.cpus ||
         a.conditions.cpu_quota_cores != b.conditions.cpu_quota_cores ||
         a.conditions.memory_limit_bytes != b.conditions.memory_limit_bytes ||
         a.conditions.frequency_khz != b.conditions.frequency_khz ||
         a.conditions.threads != b.conditions.threads ||
         a.conditions.duration_ns != b.conditions.duration_ns;
}

void Warn(History& history) {
  bool differ = false;
  bool unversioned = false;
  for (const HistoryLine& line : history.lines) {
    const Run& first = line.versions.front().runs.front();
    for (const VersionProfile& version : line.versions) {
      unversioned |= version.version.empty();
      for (const Run& run : version.runs) {
        differ |= DifferInConditions(first, run);
      }
    }
  }
  if (differ) {
    history.warnings.emplace_back(
        "some Runs were made under other conditions than others (cores, clock, "
        "threads, limits or length): what looks like a change may come from "
        "that");
  }
  if (unversioned) {
    history.warnings.emplace_back(
        "Runs without a version count as one: name it in the app file, or "
        "label Runs NAME:VERSION");
  }
}

Error NoSuchApp(const std::string& app, const std::vector<KnownApp>& known) {
  std::vector<std::string> names;
  for (const KnownApp& each : known) {
    names.push_back(each.app);
  }
  const auto near = Nearest(app, names);
  return {
      ErrorCode::kNotFound,
      "the store has no Run of \"" + app + "\"" +
          (near            ? ": did you mean " + *near + "?"
           : names.empty() ? ", and no Run at all: make one with edgewise run"
                           : ": edgewise history lists the apps there are")};
}

}  // namespace

Result<History> MakeHistory(const Store& store, const std::string& app) {
  auto all = store.List({});
  if (!all) {
    return all.error();
  }
  std::reverse(all->begin(), all->end());
  History history;
  history.app = app;
  std::vector<Run> usable;
  for (Run& run : *all) {
    if (run.state == RunState::kRunning || IdentityOf(run).app != app) {
      continue;
    }
    ++history.runs;
    if (history.first_utc_ns == 0) {
      history.first_utc_ns = run.started_utc_ns;
    }
    history.last_utc_ns = run.started_utc_ns;
    if (WasVaried(run)) {
      ++history.varied;
    } else {
      usable.push_back(std::move(run));
    }
  }
  if (history.runs == 0) {
    const auto known = KnownApps(store);
    return known ? NoSuchApp(app, *known) : known.error();
  }
  Sort(std::move(usable), history);
  for (HistoryLine& line : history.lines) {
    for (VersionProfile& version : line.versions) {
      if (const auto filled = FillProfile(store, version); !filled) {
        return filled.error();
      }
    }
    if (const auto compared = CompareVersions(store, line); !compared) {
      return compared.error();
    }
    auto advice = AdviseResources(store, line.versions.back().runs);
    if (!advice) {
      return advice.error();
    }
    line.resources = std::move(*advice);
  }
  FindWorstMemory(history);
  if (const auto found = FindFunctions(store, history); !found) {
    return found.error();
  }
  Warn(history);
  return history;
}

Result<std::vector<KnownApp>> KnownApps(const Store& store) {
  auto all = store.List({});
  if (!all) {
    return all.error();
  }
  std::vector<KnownApp> apps;  // the newest first, as the store lists Runs
  for (const Run& run : *all) {
    const RunIdentity identity = IdentityOf(run);
    auto app = std::find_if(apps.begin(), apps.end(), [&](const KnownApp& a) {
      return a.app == identity.app;
    });
    if (app == apps.end()) {
      app = apps.insert(apps.end(), {identity.app, {}, 0, run.started_utc_ns});
    }
    ++app->runs;
    // Of the oldest that is met last, the version goes to the front.
    std::erase(app->versions, identity.version);
    if (!identity.version.empty()) {
      app->versions.insert(app->versions.begin(), identity.version);
    }
  }
  return apps;
}

}  // namespace edgewise
