#include "store/owner.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

class OwnerTest : public ::testing::Test {
 protected:
  void AddProcess(int pid, const std::string& name, const std::string& state,
                  int64_t start_ticks) {
    const auto folder = proc_.path() / std::to_string(pid);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "stat")
        << pid << " (" << name << ") " << state
        << " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " << start_ticks << " 0 0\n";
  }
  bool Alive(const Owner& owner, int64_t silent_ns = 0) const {
    return IsAlive(owner, self_, silent_ns, proc_.path());
  }

  TempHome proc_;
  const Owner self_{1, 1, "boot-1", "pid:[1]"};
};

TEST_F(OwnerTest, ThisProcessLives) {
  const Owner self = ThisProcess();
  EXPECT_GT(self.pid, 0);
  EXPECT_GT(self.start_ticks, 0);
  EXPECT_FALSE(self.boot_id.empty());
  EXPECT_TRUE(IsAlive(self, self, 0));
}

TEST_F(OwnerTest, AMissingProcessIsGone) {
  EXPECT_FALSE(Alive({77, 500, "boot-1", "pid:[1]"}));
}

TEST_F(OwnerTest, TheSameProcessLives) {
  AddProcess(77, "edgewise", "S", 500);
  EXPECT_TRUE(Alive({77, 500, "boot-1", "pid:[1]"}));
}

TEST_F(OwnerTest, AnotherProcessWithTheSamePidIsNotTheOwner) {
  AddProcess(77, "edgewise", "S", 501);
  EXPECT_FALSE(Alive({77, 500, "boot-1", "pid:[1]"}));
}

TEST_F(OwnerTest, NamesWithBracketsAreRead) {
  AddProcess(77, "a) (b c", "S", 500);
  EXPECT_TRUE(Alive({77, 500, "boot-1", "pid:[1]"}));
}

TEST_F(OwnerTest, AZombieIsGone) {
  AddProcess(77, "edgewise", "Z", 500);
  EXPECT_FALSE(Alive({77, 500, "boot-1", "pid:[1]"}));
}

TEST_F(OwnerTest, ARebootEndsEveryOwner) {
  AddProcess(77, "edgewise", "S", 500);
  EXPECT_FALSE(Alive({77, 500, "boot-0", "pid:[1]"}));
}

TEST_F(OwnerTest, AnOwnerInAContainerLivesWhileItIsHeardOf) {
  const Owner contained{77, 500, "boot-1", "pid:[2]"};
  EXPECT_TRUE(Alive(contained, 5 * kNsPerSecond));
  EXPECT_FALSE(Alive(contained, 3600 * kNsPerSecond));
}

}  // namespace
}  // namespace edgewise
