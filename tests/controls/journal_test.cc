#include "controls/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/text.h"
#include "controls/process_tree.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kMaxFile[] =
    "/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq";
constexpr char kMinFile[] = "/a tree/cpu/cpu0/cpufreq/scaling_min_freq";

JournalRecord Example() {
  JournalRecord record;
  record.id = "abc";
  record.boot_id = "b00t";
  record.pid_namespace = "pid:[1]";
  record.session = {12, 345};
  record.guardian = {13, 346};
  record.scratch = "/tmp/edgewise-abc";
  record.cgroups = {"/sys/fs/cgroup/memory/edgewise-abc"};
  record.restores = {{kMaxFile, 1'500'000}, {kMinFile, 600'000}};
  record.netems = {{"net:[4026531840]", 3, 0x1234, "eth0"}};
  return record;
}

TEST(JournalTest, RecordsRoundTrip) {
  const auto record = ParseJournal(FormatJournal(Example()));
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->id, "abc");
  EXPECT_EQ(record->boot_id, "b00t");
  EXPECT_EQ(record->pid_namespace, "pid:[1]");
  EXPECT_EQ(record->session.pid, 12);
  EXPECT_EQ(record->guardian.start_ticks, 346u);
  EXPECT_EQ(record->scratch, "/tmp/edgewise-abc");
  EXPECT_THAT(record->cgroups,
              ElementsAre("/sys/fs/cgroup/memory/edgewise-abc"));
  EXPECT_EQ(record->restores, Example().restores) << "in the order of changes";
  EXPECT_EQ(record->netems, Example().netems);
}

TEST(JournalTest, OldValuesAreAppended) {
  const TemporaryHome home;
  const auto path = home.path() / "abc";
  ASSERT_TRUE(CreateJournal(path, Example()).ok());
  const JournalRestore more{kMinFile, 700'000};
  ASSERT_TRUE(AddRestoreToJournal(path, more).ok());
  EXPECT_FALSE(AddRestoreToJournal(path, {"/etc/passwd", 1}).ok());
  const auto record = ParseJournal(*ReadFile(path));
  ASSERT_TRUE(record.ok()) << record.error().message;
  ASSERT_EQ(record->restores.size(), 3u);
  EXPECT_EQ(record->restores.back(), more);
}

TEST(JournalTest, NothingButLimitsOfTheClockIsEverRestored) {
  const std::string good = FormatJournal(Example());
  const std::string file = kMaxFile;
  for (const std::string& value :
       {std::string("/etc/passwd 1"), std::string("/sys/power/state 1"),
        std::string("scaling_max_freq 1"), file, file + " ", file + " -1",
        file + " 0", file + " 1e6", file + " 12x", file + " 99999999999",
        std::string("/sys/cpufreq/policy0/scaling_governor 1"),
        std::string("/sys/../cpufreq/policy0/scaling_max_freq 1"),
        std::string("/etc/x\0/cpufreq/scaling_max_freq 1", 34)}) {
    EXPECT_FALSE(ParseJournal(good + "restore " + value + "\n").ok()) << value;
  }
}

TEST(JournalTest, QueuesAreAppended) {
  const TemporaryHome home;
  const auto path = home.path() / "abc";
  ASSERT_TRUE(CreateJournal(path, Example()).ok());
  const JournalNetem more{"net:[7]", 1, 0x100, "lo"};
  ASSERT_TRUE(AddNetemToJournal(path, more).ok());
  EXPECT_FALSE(AddNetemToJournal(path, {"net:[7]", 1, 0x100, "a b"}).ok());
  const auto record = ParseJournal(*ReadFile(path));
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_THAT(record->netems, ElementsAre(Example().netems[0], more));
}

TEST(JournalTest, NothingButQueuesOfSessionsIsEverRemoved) {
  const std::string good = FormatJournal(Example());
  for (const char* value :
       {"", "net:[1] 2 300", "net:[1] 2 300 eth0 more", "mnt:[1] 2 300 eth0",
        "net:[x] 2 300 eth0", "net:[1 2 300 eth0", "net:[1] 0 300 eth0",
        "net:[1] -1 300 eth0", "net:[1] 2 0 eth0", "net:[1] 2 255 eth0",
        "net:[1] 2 32768 eth0", "net:[1] 4294967298 300 eth0",
        "net:[1] 2 300 ../x"}) {
    EXPECT_FALSE(ParseJournal(good + "netem " + value + "\n").ok()) << value;
  }
}

TEST(JournalTest, CgroupsAreAppended) {
  const TemporaryHome home;
  const auto path = home.path() / "abc";
  ASSERT_TRUE(CreateJournal(path, Example()).ok());
  ASSERT_TRUE(AddCgroupToJournal(path, "/sys/fs/cgroup/x/edgewise-abc").ok());
  const auto record = ParseJournal(*ReadFile(path));
  ASSERT_TRUE(record.ok());
  EXPECT_THAT(record->cgroups, ElementsAre("/sys/fs/cgroup/memory/edgewise-abc",
                                           "/sys/fs/cgroup/x/edgewise-abc"));
  EXPECT_FALSE(std::filesystem::exists(path.string() + ".tmp"));
}

TEST(JournalTest, AHalfWrittenLastLineIsIgnored) {
  const auto record = ParseJournal(FormatJournal(Example()) + "cgroup /sys/fs");
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->cgroups.size(), 1u);
}

TEST(JournalTest, NonsenseIsCorrupt) {
  const std::string good = FormatJournal(Example());
  for (const std::string& text :
       {std::string(), std::string("\n"), std::string("edgewise journal 2\n"),
        std::string("edgewise journal 1\n"), good + "what is this\n",
        good + "session 0 0\n", good + "session 99999999999 1\n",
        good + "id ../up\n", good + "id other\n"}) {
    const auto record = ParseJournal(text);
    ASSERT_FALSE(record.ok()) << text;
    EXPECT_EQ(record.error().code, ErrorCode::kCorrupt);
  }
}

TEST(JournalTest, FoldersOfOthersAreNeverAccepted) {
  const std::string good = FormatJournal(Example());
  for (const char* line :
       {"cgroup /sys/fs/cgroup/memory\n", "scratch /home/me\n",
        "cgroup relative/edgewise-abc\n", "scratch /tmp/../etc/edgewise-abc\n",
        "scratch /tmp/edgewise-abcd\n"}) {
    EXPECT_FALSE(ParseJournal(good + line).ok()) << line;
  }
}

TEST(JournalTest, IdsCannotEscapeTheFolder) {
  EXPECT_TRUE(IsValidSessionId("20260101-ab_c.1"));
  for (const char* id : {"", ".", "..", "a/b", "a b", "x.tmp", ".hidden"}) {
    EXPECT_FALSE(IsValidSessionId(id)) << id;
  }
  EXPECT_FALSE(IsValidSessionId(std::string(65, 'a')));
}

TEST(JournalTest, AReusedPidIsNotAlive) {
  ProcessEntry self;
  ASSERT_TRUE(ReadProcess(getpid(), &self));
  EXPECT_TRUE(IsAlive({getpid(), self.start_ticks}));
  EXPECT_FALSE(IsAlive({getpid(), self.start_ticks + 1}));
}

TEST(JournalTest, AFullDiskIsAnError) {
  const auto added = AddCgroupToJournal("/dev/full", "/edgewise-abc");
  ASSERT_FALSE(added.ok());
  EXPECT_THAT(added.error().message, HasSubstr("No space left"));
}

}  // namespace
}  // namespace edgewise
