// A store and a project's folder of a test's own, removed at the end.
#ifndef EDGEWISE_TESTS_PROJECT_TEMPORARY_FOLDER_H_
#define EDGEWISE_TESTS_PROJECT_TEMPORARY_FOLDER_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "../store/temporary_store.h"
#include "base/text.h"

namespace edgewise {

class ProjectTest : public TemporaryStoreTest {
 protected:
  void SetUp() override {
    TemporaryStoreTest::SetUp();
    folder_ = home_ / "project";
    std::filesystem::create_directory(folder_);
  }
  void Write(const std::string& name, std::string_view content) {
    const auto path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(WriteFile(path, content).ok()) << name;
  }

  std::filesystem::path folder_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_PROJECT_TEMPORARY_FOLDER_H_
