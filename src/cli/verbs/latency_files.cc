#include "cli/verbs/latency_files.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "prediction/model_file.h"

namespace edgewise::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultModel = "models/default.ewm";

Result<std::vector<std::string>> FilesOf(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return std::vector<std::string>{path};
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (entry.path().extension() == ".csv") {
      files.push_back(entry.path().string());
    }
  }
  if (files.empty()) {
    return Error{ErrorCode::kNotFound, "the folder " + path +
                                           " has no .csv file: name the tables "
                                           "of latencies and layers"};
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Where the model that comes with edgewise may be, the likeliest first.
std::vector<fs::path> DefaultModelPlaces() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    return {};
  }
  const fs::path folder = program.parent_path();
  return {folder / kDefaultModel,
          folder.parent_path() / "share/edgewise" / kDefaultModel};
}

}  // namespace

std::optional<Error> CheckSources(const std::vector<std::string>& tables,
                                  const std::vector<std::string>& campaigns) {
  if (tables.empty() == campaigns.empty()) {
    return Error{ErrorCode::kInvalid,
                 "give either tables of latencies, or --contention and the "
                 "folders of campaigns"};
  }
  return std::nullopt;
}

Result<LatencyData> LoadLatencyData(const std::vector<std::string>& paths) {
  std::vector<NamedText> tables;
  for (const std::string& path : paths) {
    auto files = FilesOf(path);
    if (!files) {
      return files.error();
    }
    for (const std::string& file : *files) {
      auto text = ReadFile(file);
      if (!text) {
        return text.error();
      }
      tables.push_back({file, std::move(*text)});
    }
  }
  return ReadLatencyData(tables);
}

Result<LatencyModel> LoadModel(const std::string& path) {
  std::string chosen = path;
  if (chosen.empty()) {
    for (const fs::path& place : DefaultModelPlaces()) {
      std::error_code error;
      if (fs::exists(place, error)) {
        chosen = place.string();
        break;
      }
    }
    if (chosen.empty()) {
      return Error{
          ErrorCode::kNotFound,
          "the model that comes with edgewise is not installed "
          "(share/edgewise/models/default.ewm): name one with --model"};
    }
  }
  const auto text = ReadFile(chosen);
  if (!text) {
    return text.error();
  }
  return ReadModel(*text, chosen);
}

}  // namespace edgewise::cli
