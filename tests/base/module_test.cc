#include "base/module.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace edgewise {
namespace {

TEST(ModuleTest, IsLookedForBesideTheProgramAndWhereItIsInstalled) {
  ::unsetenv("EDGEWISE_MODULES");
  const auto folders = ModuleFolders("/opt/x/bin/edgewise");
  ASSERT_EQ(folders.size(), 2u);
  EXPECT_EQ(folders[0], "/opt/x/bin");
  EXPECT_EQ(folders[1], "/opt/x/lib/edgewise");
  ::setenv("EDGEWISE_MODULES", "/elsewhere", 1);
  EXPECT_EQ(ModuleFolders("/opt/x/bin/edgewise").front(), "/elsewhere");
  ::unsetenv("EDGEWISE_MODULES");
}

TEST(ModuleTest, AMissingOneIsSaid) {
  const auto module = LoadModule("no-such-part");
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(module.error().message.find("libedgewise-no-such-part.so"),
            std::string::npos);
}

TEST(ModuleTest, AFileThatIsNoLibraryIsSaidWithTheReason) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("module-test-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "libedgewise-broken.so") << "not a library";
  ::setenv("EDGEWISE_MODULES", folder.c_str(), 1);
  const auto module = LoadModule("broken");
  ::unsetenv("EDGEWISE_MODULES");
  std::filesystem::remove_all(folder);
  ASSERT_FALSE(module);
  EXPECT_NE(module.error().message.find("cannot be loaded"), std::string::npos);
}

}  // namespace
}  // namespace edgewise
