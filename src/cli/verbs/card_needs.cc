#include "cli/verbs/card_needs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "base/text.h"
#include "cards/card.h"

namespace edgewise::cli {
namespace {

namespace fs = std::filesystem;

// What `edgewise fit` confirmed; else the memory that was seen.
orchestration::AppNeeds NeedsOf(const Card& card) {
  orchestration::AppNeeds needs;
  if (card.rss_mb) {
    needs.memory_bytes = std::llround(std::ceil(*card.rss_mb * 1024 * 1024));
  }
  if (card.resources) {
    const CardAmounts& requests = card.resources->requests;
    needs.cpu_cores = requests.cpu_cores;
    if (requests.memory_bytes) {
      needs.memory_bytes = requests.memory_bytes;
    }
    needs.most_cpu_cores = card.resources->limits.cpu_cores;
    needs.most_memory_bytes = card.resources->limits.memory_bytes;
  }
  return needs;
}

}  // namespace

Result<std::map<std::string, orchestration::AppNeeds>> NeedsFrom(
    const std::string& folder) {
  std::map<std::string, orchestration::AppNeeds> needs;
  if (folder.empty()) {
    return needs;
  }
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    return Error{ErrorCode::kNotFound,
                 "--cards " + folder +
                     ": there is no card (*.yaml) in this folder: make one "
                     "with edgewise card"};
  }
  for (const fs::path& file : files) {
    const auto text = ReadFile(file);
    const auto card =
        text ? ReadCard(*text, file.string()) : Result<Card>(text.error());
    if (!card) {
      return card.error();
    }
    if (!needs.emplace(card->name, NeedsOf(*card)).second) {
      return Error{ErrorCode::kInvalid, file.string() +
                                            ": there is another "
                                            "card of " +
                                            card->name +
                                            " in this folder: keep one"};
    }
  }
  return needs;
}

}  // namespace edgewise::cli
