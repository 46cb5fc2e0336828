#include "stress/cache_size.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <string>

namespace edgewise {
namespace {

class CacheSizeTest : public ::testing::Test {
 protected:
  CacheSizeTest() {
    char name[] = "/tmp/edgewise-cache-size-XXXXXX";
    root_ = ::mkdtemp(name);
  }
  ~CacheSizeTest() override { std::filesystem::remove_all(root_); }

  void Add(int index, const std::string& level, const std::string& type,
           const std::string& size) const {
    const auto folder = root_ / "devices/system/cpu/cpu0/cache" /
                        ("index" + std::to_string(index));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "level") << level << "\n";
    std::ofstream(folder / "type") << type << "\n";
    std::ofstream(folder / "size") << size << "\n";
  }

  std::filesystem::path root_;
};

TEST_F(CacheSizeTest, TheHighestLevelCounts) {
  Add(0, "1", "Data", "64K");
  Add(1, "1", "Instruction", "64K");
  Add(2, "2", "Unified", "512K");
  Add(3, "3", "Unified", "2048K");
  EXPECT_EQ(LastLevelCacheBytes(root_), 2048 * 1024);
}

TEST_F(CacheSizeTest, InstructionCachesDoNotCount) {
  Add(0, "1", "Data", "32K");
  Add(1, "2", "Instruction", "512K");
  EXPECT_EQ(LastLevelCacheBytes(root_), 32 * 1024);
}

TEST_F(CacheSizeTest, WithoutACacheFolderItIsUnknown) {
  EXPECT_EQ(LastLevelCacheBytes(root_), std::nullopt);
}

TEST_F(CacheSizeTest, SizesThatMakeNoSenseAreSkipped) {
  Add(0, "1", "Data", "32K");
  Add(1, "2", "Unified", "");
  Add(2, "3", "Unified", "0K");
  Add(3, "4", "Unified", "rubbishK");
  EXPECT_EQ(LastLevelCacheBytes(root_), 32 * 1024);
}

}  // namespace
}  // namespace edgewise
