// ScratchFolder: a folder for logs that goes with its owner. Folders of owners
// that were killed go with the next one that is made.
#ifndef EDGEWISE_TENANTS_SCRATCH_FOLDER_H_
#define EDGEWISE_TENANTS_SCRATCH_FOLDER_H_

#include <filesystem>
#include <utility>

#include "base/result.h"

namespace edgewise::tenants {

class ScratchFolder {
 public:
  // Below `root`, in tests another than the system's folder for such things.
  static Result<ScratchFolder> Make(const std::filesystem::path& root =
                                        std::filesystem::temp_directory_path());
  ScratchFolder(ScratchFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_SCRATCH_FOLDER_H_
