#include "project/project_folder.h"

#include <algorithm>
#include <cctype>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "scheduling/plan_file.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// A bundle is made in memory, and sent around.
constexpr uintmax_t kMostFileBytes = uintmax_t{64} << 20;
constexpr size_t kMostFiles = 1000;

std::string LowerExtension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return extension;
}

bool IsYaml(const fs::path& path) {
  const std::string extension = LowerExtension(path);
  return extension == ".yaml" || extension == ".yml";
}

bool IsPicture(const fs::path& path) {
  const std::string extension = LowerExtension(path);
  return extension == ".svg" || extension == ".png" || extension == ".jpg" ||
         extension == ".jpeg";
}

// The regular files of a folder for which `wanted`, in order of their names.
template <typename Iterator, typename Wanted>
std::vector<fs::path> FilesOf(const fs::path& folder, Wanted wanted) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (Iterator it(folder, fs::directory_options::skip_permission_denied,
                   failed);
       !failed && it != Iterator(); it.increment(failed)) {
    std::error_code ignored;
    if (wanted(it->path()) && it->is_regular_file(ignored)) {
      files.push_back(it->path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

class FolderReader {
 public:
  explicit FolderReader(const fs::path& root) : root_(root) {}

  // Those that can be read, with their names within the project.
  std::vector<ArchivedFile> Read(const std::vector<fs::path>& paths) {
    std::vector<ArchivedFile> files;
    for (const fs::path& path : paths) {
      const std::string name = path.lexically_relative(root_).generic_string();
      std::error_code failed;
      if (const uintmax_t bytes = fs::file_size(path, failed);
          !failed && bytes > kMostFileBytes) {
        problems.push_back(name + " is left out: it is larger than " +
                           FormatBytes(kMostFileBytes));
        continue;
      }
      if (files.size() == kMostFiles) {
        problems.push_back(name +
                           " and those after it are left out: more "
                           "than " +
                           FormatCount(kMostFiles, "file"));
        break;
      }
      auto content = ReadFile(path);
      if (!content) {
        problems.push_back(name + " is left out: " + content.error().message);
        continue;
      }
      files.push_back({name, std::move(*content)});
    }
    return files;
  }

  std::vector<std::string> problems;

 private:
  const fs::path& root_;
};

}  // namespace

Result<ProjectFolder> ReadProjectFolder(const fs::path& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    return Error{ErrorCode::kNotFound,
                 "there is no folder " + folder.string() +
                     ": edgewise init makes one to start with"};
  }
  using Files = fs::directory_iterator;
  using FilesBelow = fs::recursive_directory_iterator;
  FolderReader reader(folder);
  ProjectFolder project;
  for (ArchivedFile& file :
       reader.Read(FilesOf<Files>(folder / "cards", IsYaml))) {
    auto card = ReadCard(file.content, file.name);
    if (card) {
      project.cards.push_back({std::move(file), std::move(*card)});
    } else {
      reader.problems.push_back(card.error().message);
    }
  }
  std::vector<fs::path> plans =
      FilesOf<Files>(folder, [](const fs::path& path) {
        return IsYaml(path) && path.filename().string().starts_with("plan");
      });
  const std::vector<fs::path> more = FilesOf<Files>(folder / "plan", IsYaml);
  plans.insert(plans.end(), more.begin(), more.end());
  for (ArchivedFile& file : reader.Read(plans)) {
    auto plan = ReadPlan(file.content, file.name);
    if (plan) {
      project.plans.push_back({std::move(file), std::move(*plan)});
    } else {
      reader.problems.push_back(plan.error().message);
    }
  }
  const auto is_csv = [](const fs::path& path) {
    return LowerExtension(path) == ".csv";
  };
  std::vector<fs::path> logs = FilesOf<Files>(folder / "logs", is_csv);
  const std::vector<fs::path> beside =
      FilesOf<Files>(folder, [&](const fs::path& path) {
        return is_csv(path) &&
               path.filename().string().starts_with("profile_log");
      });
  logs.insert(logs.end(), beside.begin(), beside.end());
  project.logs = reader.Read(logs);
  project.plots = reader.Read(FilesOf<FilesBelow>(folder / "plots", IsPicture));
  project.problems = std::move(reader.problems);
  return project;
}

}  // namespace edgewise
