// A folder for one test, and what tests put there.
#ifndef EDGEWISE_TESTS_DATASETS_SCRATCH_H_
#define EDGEWISE_TESTS_DATASETS_SCRATCH_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "datasets/dataset.h"

namespace edgewise {

class ScratchTest : public testing::Test {
 protected:
  ScratchTest() {
    std::string name =
        (std::filesystem::temp_directory_path() / "ew-data-XXXXXX").string();
    scratch_ = ::mkdtemp(name.data());
    settings_.base_folder = scratch_;
    settings_.cache_folder = scratch_ / "cache";
  }
  ~ScratchTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(scratch_, ignored);
  }

  void Put(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = scratch_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }

  std::filesystem::path scratch_;
  DatasetSettings settings_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_DATASETS_SCRATCH_H_
