// A bundle: everything that a project delivers, as one page and one archive.
//
// The same Runs and files give the same bytes: nothing in it says when it was
// made but the Runs.
#ifndef EDGEWISE_PROJECT_BUNDLE_H_
#define EDGEWISE_PROJECT_BUNDLE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "project/deliverable.h"
#include "store/store.h"

namespace edgewise {

struct BundleRequest {
  std::filesystem::path folder;
  std::vector<std::string> runs;  // as Store::Find takes them
};

struct Bundle {
  std::string name;  // of the folder
  std::vector<Deliverable> deliverables;
  std::vector<Run> runs;  // all that it names and the store has, by their ids
  std::vector<ArchivedFile> files;  // of the archive, but for the page
  std::vector<std::string> warnings;
  int64_t latest_utc_ns = 0;  // when the last of the Runs began; 0: no Runs
};

// The page's name within the archive.
inline constexpr std::string_view kBundlePage = "bundle.html";

// Refused: a folder that is not there, a Run that is not, and a project with
// nothing to deliver.
Result<Bundle> MakeBundle(const Store& store, const BundleRequest& request);

// Those that count: neither there nor optional.
std::vector<const Deliverable*> MissingOf(const Bundle& bundle);
// "5 of 6 deliverables are here; missing: …"
std::string BundleHeadline(const Bundle& bundle);

std::string BundleHtml(const Bundle& bundle);
std::string BundleJson(const Bundle& bundle);
// `page` is what BundleHtml gave.
Result<std::string> BundleZip(const Bundle& bundle, const std::string& page);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_BUNDLE_H_
