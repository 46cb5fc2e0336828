#include "project/starter.h"

#include <system_error>

#include "base/text.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// For what comes out.
constexpr std::string_view kEmptyFolders[] = {"cards", "logs", "plan", "plots"};

Error Failed(const fs::path& path, const std::error_code& why) {
  return {ErrorCodeFromErrno(why.value()),
          "cannot make " + path.string() + ": " + why.message()};
}

Result<void> CheckPlace(const fs::path& folder, bool into) {
  std::error_code failed;
  if (!fs::exists(folder, failed)) {
    return {};
  }
  if (!fs::is_directory(folder, failed)) {
    return Error{ErrorCode::kInvalid,
                 folder.string() + " is a file: name a folder"};
  }
  const bool empty = fs::is_empty(folder, failed);
  if (failed) {
    return Error{ErrorCodeFromErrno(failed.value()),
                 "cannot read " + folder.string() + ": " + failed.message()};
  }
  if (!empty && !into) {
    return Error{ErrorCode::kInvalid,
                 folder.string() +
                     " is not empty: name another folder, or add --force to "
                     "put in what is missing (no file is changed)"};
  }
  return {};
}

Result<void> MakeFolder(const fs::path& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) {
    return Failed(path, failed);
  }
  return {};
}

// A script can be run as it is.
Result<void> MakeExecutable(const fs::path& path) {
  std::error_code failed;
  const fs::perms now = fs::status(path, failed).permissions();
  // Whoever may read it.
  fs::perms more = fs::perms::owner_exec;
  if ((now & fs::perms::group_read) != fs::perms::none) {
    more |= fs::perms::group_exec;
  }
  if ((now & fs::perms::others_read) != fs::perms::none) {
    more |= fs::perms::others_exec;
  }
  fs::permissions(path, more, fs::perm_options::add, failed);
  return failed ? Result<void>(Failed(path, failed)) : Result<void>();
}

}  // namespace

Result<StarterOutcome> MakeStarter(const fs::path& folder, bool into) {
  if (const Result<void> checked = CheckPlace(folder, into); !checked) {
    return checked.error();
  }
  StarterOutcome outcome;
  std::error_code ignored;
  for (const std::string_view name : kEmptyFolders) {
    const fs::path path = folder / name;
    if (fs::is_directory(path, ignored)) {
      continue;
    }
    if (const Result<void> made = MakeFolder(path); !made) {
      return made.error();
    }
    outcome.made.push_back(std::string(name) + "/");
  }
  for (const StarterFile& file : StarterFiles()) {
    const fs::path path = folder / file.path;
    const std::string name(file.path);
    // Also a link that leads nowhere is somebody's.
    if (fs::exists(fs::symlink_status(path, ignored))) {
      (TryReadFile(path) == file.content ? outcome.same : outcome.kept)
          .push_back(name);
      continue;
    }
    if (const Result<void> made = MakeFolder(path.parent_path()); !made) {
      return made.error();
    }
    if (const Result<void> written = WriteFile(path, file.content); !written) {
      return written.error();
    }
    if (file.content.starts_with("#!")) {
      if (const Result<void> changed = MakeExecutable(path); !changed) {
        return changed.error();
      }
    }
    outcome.made.push_back(name);
  }
  return outcome;
}

}  // namespace edgewise
