#include "project/bundle.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/units.h"
#include "project/wording.h"

namespace edgewise {
namespace {

using MakeDeliverable = Result<Deliverable> (*)(const DeliverableSource&);

// The lab's list, in its order; what is optional last.
constexpr MakeDeliverable kDeliverables[] = {
    CardDeliverable, LogDeliverable,  ScalingDeliverable, MqttDeliverable,
    PlanDeliverable, ExecDeliverable, FlameDeliverable,   PrecisionDeliverable,
};

// The name of the folder, also of "." and "..".
std::string NameOf(const std::filesystem::path& folder) {
  std::error_code failed;
  const auto path = std::filesystem::weakly_canonical(folder, failed);
  const std::string name = path.filename().string();
  return failed || name.empty() ? folder.string() : name;
}

// Each file once: several deliverables may come from one Run.
void CollectFiles(const Deliverable& deliverable, Bundle* bundle) {
  for (const ArchivedFile& file : deliverable.files) {
    const bool known = std::any_of(
        bundle->files.begin(), bundle->files.end(),
        [&](const ArchivedFile& each) { return each.name == file.name; });
    if (!known) {
      bundle->files.push_back(file);
    }
  }
}

Result<void> CollectRuns(const Store& store, Bundle* bundle) {
  std::set<std::string> ids;
  for (const Deliverable& deliverable : bundle->deliverables) {
    ids.insert(deliverable.runs.begin(), deliverable.runs.end());
  }
  const auto all = store.List({});
  if (!all) {
    return all.error();
  }
  for (const Run& run : *all) {
    if (ids.contains(run.id)) {
      bundle->runs.push_back(run);
      bundle->latest_utc_ns =
          std::max(bundle->latest_utc_ns, run.started_utc_ns);
    }
  }
  std::sort(bundle->runs.begin(), bundle->runs.end(),
            [](const Run& a, const Run& b) {
              return std::pair(a.started_utc_ns, a.id) <
                     std::pair(b.started_utc_ns, b.id);
            });
  return {};
}

}  // namespace

Result<Bundle> MakeBundle(const Store& store, const BundleRequest& request) {
  const auto folder = ReadProjectFolder(request.folder);
  if (!folder) {
    return folder.error();
  }
  const auto chosen = ChooseRuns(store, *folder, request.runs);
  if (!chosen) {
    return chosen.error();
  }
  Bundle bundle;
  bundle.name = NameOf(request.folder);
  bundle.warnings = folder->problems;
  const DeliverableSource source{store, *folder, *chosen};
  for (const MakeDeliverable make : kDeliverables) {
    auto deliverable = make(source);
    if (!deliverable) {
      return deliverable.error();
    }
    CollectFiles(*deliverable, &bundle);
    bundle.warnings.insert(bundle.warnings.end(), deliverable->warnings.begin(),
                           deliverable->warnings.end());
    bundle.deliverables.push_back(std::move(*deliverable));
  }
  if (bundle.files.empty()) {
    return Error{ErrorCode::kNotFound,
                 "there is nothing to bundle in " + request.folder.string() +
                     " (no cards/*.yaml, plan*.yaml, logs/*.csv or plots/), "
                     "and no experiment in the store: edgewise init makes a "
                     "folder to start with"};
  }
  std::sort(bundle.files.begin(), bundle.files.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  if (const Result<void> collected = CollectRuns(store, &bundle); !collected) {
    return collected.error();
  }
  return bundle;
}

std::vector<const Deliverable*> MissingOf(const Bundle& bundle) {
  std::vector<const Deliverable*> missing;
  for (const Deliverable& deliverable : bundle.deliverables) {
    if (!deliverable.there && !deliverable.optional) {
      missing.push_back(&deliverable);
    }
  }
  return missing;
}

std::string BundleHeadline(const Bundle& bundle) {
  const auto missing = MissingOf(bundle);
  const auto all = std::count_if(
      bundle.deliverables.begin(), bundle.deliverables.end(),
      [](const Deliverable& deliverable) { return !deliverable.optional; });
  if (missing.empty()) {
    return "All " + FormatCount(all, "deliverable") + " are here.";
  }
  std::vector<std::string> titles;
  for (const Deliverable* deliverable : missing) {
    titles.push_back(deliverable->title);
  }
  return FormatCount(all - std::ssize(missing)) + " of " +
         FormatCount(all, "deliverable") +
         " are here; missing: " + Listed(titles) + ".";
}

Result<std::string> BundleZip(const Bundle& bundle, const std::string& page) {
  std::vector<ArchivedFile> files = bundle.files;
  files.push_back({std::string(kBundlePage), page});
  return ZipArchive(files, bundle.latest_utc_ns);
}

}  // namespace edgewise
