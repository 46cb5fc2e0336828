#include "live/registry.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace edgewise::live {
namespace {

std::string GroupKey(const AppIdentity& identity) {
  return identity.name + '\n' + identity.container + '\n' + identity.pod;
}

void AddCounts(const RingAccount& from, RingAccount* to) {
  to->delivered += from.delivered;
  to->dropped_full += from.dropped_full;
  to->dropped_reentry += from.dropped_reentry;
  to->dropped_no_slot += from.dropped_no_slot;
  to->dropped_no_name += from.dropped_no_name;
  to->invalid += from.invalid;
  to->truncated_meta += from.truncated_meta;
}

}  // namespace

bool Registry::IsTaken(const AppIdentity& identity) const {
  const auto [begin, end] = by_group_.equal_range(GroupKey(identity));
  return std::any_of(begin, end, [&](const auto& entry) {
    return entry.second->identity.instance == identity.instance;
  });
}

std::string Registry::FreeInstance(const AppIdentity& identity) const {
  AppIdentity wanted = identity;
  const bool claimed = !identity.instance.empty();
  if (!claimed) {
    wanted.instance = "0";
  }
  for (int number = claimed ? 2 : 1; IsTaken(wanted); ++number) {
    wanted.instance = claimed ? identity.instance + "-" + std::to_string(number)
                              : std::to_string(number);
  }
  return wanted.instance;
}

LiveApp* Registry::FindGone(const Newcomer& newcomer) const {
  const auto [begin, end] = by_group_.equal_range(GroupKey(newcomer.identity));
  LiveApp* found = nullptr;
  for (auto at = begin; at != end; ++at) {
    LiveApp* app = at->second;
    const std::string& wanted = newcomer.identity.instance;
    if (app->alive || app->uid != newcomer.uid ||
        (!wanted.empty() && wanted != app->identity.instance)) {
      continue;
    }
    // The process itself, if it is back; else the one that was first.
    if (app->pid == newcomer.pid) {
      return app;
    }
    if (found == nullptr || app->id < found->id) {
      found = app;
    }
  }
  return found;
}

LiveApp& Registry::Join(const Newcomer& newcomer, int64_t now_ns) {
  LiveApp* app = FindGone(newcomer);
  const bool same_process = app != nullptr && app->pid == newcomer.pid;
  if (app == nullptr) {
    auto made = std::make_unique<LiveApp>();
    made->id = next_id_++;
    made->identity = newcomer.identity;
    made->identity.instance = FreeInstance(newcomer.identity);
    made->uid = newcomer.uid;
    made->first_ns = now_ns;
    app = made.get();
    by_group_.emplace(GroupKey(app->identity), app);
    apps_.emplace(app->id, std::move(made));
  } else {
    app->identity.labels = newcomer.identity.labels;
    app->restarts += same_process ? 0 : 1;
    AddCounts(app->account, &app->account_before);
    app->account = {};
    if (!same_process) {
      for (const auto& [key, metric] : app->metrics) {
        metric->BeginProcess();
      }
    }
  }
  app->alive = true;
  app->gone_ns.reset();
  app->pid = newcomer.pid;
  app->started_utc_ns = UtcNs();
  if (newcomer.detached_ns && *newcomer.detached_ns <= now_ns) {
    ++app->gaps;
    app->last_gap_ns = now_ns - *newcomer.detached_ns;
  }
  return *app;
}

void Registry::Leave(LiveApp& app, int64_t now_ns) {
  app.alive = false;
  app.gone_ns = now_ns;
  app.probe.reset();
  app.anomalies.clear();
}

void Registry::Expire(int64_t now_ns) {
  for (auto next = apps_.begin(); next != apps_.end();) {
    const auto current = next++;
    LiveApp* app = current->second.get();
    if (app->alive || !app->gone_ns || now_ns - *app->gone_ns < keep_gone_ns_) {
      continue;
    }
    const auto [begin, end] = by_group_.equal_range(GroupKey(app->identity));
    const auto entry = std::find_if(
        begin, end, [&](const auto& e) { return e.second == app; });
    if (entry != end) {
      by_group_.erase(entry);
    }
    apps_.erase(current);
  }
}

size_t Registry::alive_count() const {
  return static_cast<size_t>(
      std::count_if(apps_.begin(), apps_.end(),
                    [](const auto& entry) { return entry.second->alive; }));
}

Result<const LiveApp*> FindApp(const Registry& registry,
                               std::string_view name) {
  std::vector<const LiveApp*> found;
  std::vector<std::string> known;
  for (const auto& [id, app] : registry.apps()) {
    if (!app->alive) {
      continue;
    }
    const std::string full = app->identity.name + "/" + app->identity.instance;
    if (name == app->identity.name || name == full) {
      found.push_back(app.get());
    }
    known.push_back(full);
  }
  if (found.size() == 1) {
    return found.front();
  }
  constexpr size_t kMostNamed = 8;
  const bool several = found.size() > 1;
  if (several) {
    known.clear();
    for (const LiveApp* app : found) {
      known.push_back(app->identity.name + "/" + app->identity.instance);
    }
  }
  if (known.size() > kMostNamed) {
    known.resize(kMostNamed);
    known.emplace_back("…");
  }
  return Error{
      several ? ErrorCode::kInvalid : ErrorCode::kNotFound,
      several ? "there are several instances of \"" + std::string(name) +
                    "\": choose one of " + Join(known, ", ")
              : "there is no app \"" + std::string(name) + "\" on this node: " +
                    (known.empty() ? "none is connected"
                                   : "there is " + Join(known, ", "))};
}

}  // namespace edgewise::live
