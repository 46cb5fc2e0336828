// A folder of fake /proc, /sys or cgroup files for one test.
#ifndef EDGEWISE_TESTS_PROBES_FAKE_TREE_H_
#define EDGEWISE_TESTS_PROBES_FAKE_TREE_H_

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace edgewise {

class FakeTree {
 public:
  FakeTree() {
    std::string name =
        (std::filesystem::temp_directory_path() / "edgewise-tree-XXXXXX")
            .string();
    root_ = ::mkdtemp(name.data());
  }
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;
  ~FakeTree() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }

  const std::filesystem::path& root() const { return root_; }
  std::filesystem::path operator/(std::string_view path) const {
    return root_ / path;
  }
  // Writes a file in place, as the kernel does: open descriptors see it.
  void Write(const std::filesystem::path& path,
             std::string_view content) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary | std::ios::trunc) << content;
  }
  void MakeFolder(const std::filesystem::path& path) const {
    std::filesystem::create_directories(root_ / path);
  }
  void Remove(const std::filesystem::path& path) const {
    std::filesystem::remove_all(root_ / path);
  }

 private:
  std::filesystem::path root_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_PROBES_FAKE_TREE_H_
