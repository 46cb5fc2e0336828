#include "controls/applied_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/text.h"
#include "controls/journal.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

ThreadBefore Thread(pid_t thread) {
  ThreadBefore before{100, thread, 8812345, {{0, 2, 3}, {}}};
  before.state.attributes.policy = 1;
  before.state.attributes.priority = 40;
  before.state.attributes.nice = -5;
  before.state.attributes.flags = 1;
  return before;
}

AppliedRecord Full() {
  AppliedRecord record{"boot-1", "pid:[4026531836]", {}, {}, {}, {}};
  record.threads = {Thread(100), Thread(101)};
  record.threads[1].state.attributes = {};
  record.threads[1].state.attributes.policy = kPolicyDeadline;
  record.threads[1].state.attributes.runtime_ns = 5'000'000;
  record.threads[1].state.attributes.deadline_ns = 10'000'000;
  record.threads[1].state.attributes.period_ns = 20'000'000;
  record.members = {{100, 8812345, "/sys/fs/cgroup/my slice/a"}};
  record.cgroups = {"/sys/fs/cgroup/cpuset/edgewise-applied-100"};
  record.settings = {{"/sys/fs/cgroup/a b=c/cpu.max", "max 100000"}};
  return record;
}

void Append(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::app) << text;
}

TEST(AppliedJournalTest, ARecordSurvivesBeingWrittenAndRead) {
  const auto record = ParseApplied(FormatApplied(Full()));
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->boot_id, Full().boot_id);
  EXPECT_EQ(record->pid_namespace, Full().pid_namespace);
  EXPECT_EQ(record->threads, Full().threads);
  EXPECT_EQ(record->members, Full().members);
  EXPECT_EQ(record->cgroups, Full().cgroups);
  EXPECT_EQ(record->settings, Full().settings);
}

TEST(AppliedJournalTest, OnlyLimitsOfCgroupsAreEverPutBack) {
  EXPECT_TRUE(IsRestorableSetting("/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us"));
  EXPECT_TRUE(IsRestorableSetting("/sys/fs/cgroup/a/memory.high"));
  EXPECT_FALSE(IsRestorableSetting("/sys/fs/cgroup/a/cgroup.procs"));
  EXPECT_FALSE(IsRestorableSetting("/etc/passwd"));
  EXPECT_FALSE(IsRestorableSetting("cpu.max"));
  EXPECT_FALSE(IsRestorableSetting("/sys/../etc/cpu.max"));
  const std::string text = FormatApplied(Full());
  EXPECT_FALSE(ParseApplied(text + "setting /etc/passwd=root\n"));
  EXPECT_FALSE(ParseApplied(text + "setting /sys/fs/cgroup/cpu.max\n"));
}

TEST(AppliedJournalTest, AnAgentHasAJournalOfItsOwnAndForgetsWhatIsUndone) {
  const TemporaryHome home;
  auto journal = AppliedJournal::Open(home.path(), AppliedBy::kAgent);
  ASSERT_TRUE(journal) << journal.error().message;
  ASSERT_TRUE(journal->AddCgroup("/sys/fs/cgroup/cpu/edgewise-agent-7"));
  ASSERT_TRUE(journal->Add(SettingBefore{"/sys/fs/cgroup/a/cpu.max", "max 1"}));
  ASSERT_TRUE(journal->Add(SettingBefore{"/sys/fs/cgroup/a/cpu.max", "5 1"}));
  EXPECT_EQ(journal->record().settings.size(), 1u);  // the first one counts
  EXPECT_FALSE(journal->Add(SettingBefore{"/etc/passwd", "x"}));
  EXPECT_TRUE(AppliedJournal::Open(home.path()));  // that of apply
  EXPECT_EQ(AppliedJournal::Open(home.path(), AppliedBy::kAgent).error().code,
            ErrorCode::kBusy);
  AppliedRecord rest = journal->record();
  rest.settings.clear();
  ASSERT_TRUE(journal->Replace(rest));
  EXPECT_EQ(AppliedJournal::Open(home.path(), AppliedBy::kAgent).error().code,
            ErrorCode::kBusy);
  const auto text =
      ReadFile(AppliedJournal::PathIn(home.path(), AppliedBy::kAgent));
  const auto read = ParseApplied(*text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->settings.empty());
  EXPECT_EQ(read->cgroups, rest.cgroups);
}

TEST(AppliedJournalTest, ALineThatWasCutOffAnnouncedNothing) {
  std::string text = FormatApplied(Full());
  text += "thread 100 102 88";
  const auto record = ParseApplied(text);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->threads.size(), 2);
}

TEST(AppliedJournalTest, NothingButOwnCgroupsMayBeNamed) {
  const std::string start = "edgewise applied 1\nboot x\nnamespace y\n";
  EXPECT_TRUE(ParseApplied(start));
  for (const char* line :
       {"cgroup /sys/fs/cgroup/cpuset/system.slice\n",
        "cgroup edgewise-applied-5\n", "cgroup /a/../edgewise-applied-5\n",
        "cgroup /a/edgewise-applied-x\n", "member 0 5 /a\n", "member 5 5 a\n",
        "thread 1 2 3\n", "thread 1 2 3 0 0 99 0 0 0 0 0\n",
        "thread 1 2 3 0 0 0 0 0 0 0 x\n", "rubbish\n", "\n"}) {
    const auto record = ParseApplied(start + line);
    ASSERT_FALSE(record) << line;
    EXPECT_EQ(record.error().code, ErrorCode::kCorrupt);
  }
  EXPECT_FALSE(ParseApplied(""));
}

TEST(AppliedJournalTest, TheFirstStateIsKept) {
  const TemporaryHome home;
  {
    auto journal = AppliedJournal::Open(home.path());
    ASSERT_TRUE(journal) << journal.error().message;
    ASSERT_TRUE(journal->Add(Thread(100)));
    ThreadBefore changed = Thread(100);
    changed.state.cpus = {1};
    ASSERT_TRUE(journal->Add(changed));
    ASSERT_TRUE(journal->AddCgroup("/c/edgewise-applied-100"));
    ASSERT_TRUE(journal->AddCgroup("/c/edgewise-applied-100"));
    ASSERT_TRUE(journal->Add(MemberBefore{100, 5, "/c/a"}));
    ASSERT_TRUE(journal->Add(MemberBefore{100, 5, "/c/edgewise-applied-100"}));
  }
  const auto again = AppliedJournal::Open(home.path());
  ASSERT_TRUE(again);
  ASSERT_EQ(again->record().threads.size(), 1);
  EXPECT_EQ(again->record().threads[0], Thread(100));
  EXPECT_EQ(again->record().cgroups.size(), 1);
  EXPECT_EQ(again->record().members.size(), 1);
}

TEST(AppliedJournalTest, WritingGoesOnBehindTheLastWholeLine) {
  const TemporaryHome home;
  { ASSERT_TRUE(AppliedJournal::Open(home.path())->Add(Thread(100))); }
  Append(home.path() / "applied", "thread 100 102 88");
  { ASSERT_TRUE(AppliedJournal::Open(home.path())->Add(Thread(103))); }
  const auto again = AppliedJournal::Open(home.path());
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->record().threads.size(), 2);
  EXPECT_EQ(again->record().threads[1].thread, 103);
}

TEST(AppliedJournalTest, OneProcessAtATimeHoldsIt) {
  const TemporaryHome home;
  const auto journal = AppliedJournal::Open(home.path());
  ASSERT_TRUE(journal);
  const auto second = AppliedJournal::Open(home.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
}

TEST(AppliedJournalTest, WhatAnEarlierBootAppliedIsGone) {
  const TemporaryHome home;
  std::filesystem::create_directories(home.path());
  ASSERT_TRUE(WriteFile(home.path() / "applied", FormatApplied(Full())));
  const auto journal = AppliedJournal::Open(home.path());
  ASSERT_TRUE(journal);
  EXPECT_TRUE(journal->record().threads.empty());
  EXPECT_EQ(journal->record().boot_id, CurrentBootId());
}

TEST(AppliedJournalTest, PidsOfAnotherNamespaceAreLeftAlone) {
  const TemporaryHome home;
  std::filesystem::create_directories(home.path());
  AppliedRecord record = Full();
  record.boot_id = CurrentBootId();
  record.pid_namespace = "pid:[1]";
  ASSERT_TRUE(WriteFile(home.path() / "applied", FormatApplied(record)));
  const auto journal = AppliedJournal::Open(home.path());
  ASSERT_FALSE(journal);
  EXPECT_THAT(journal.error().message, HasSubstr("another container"));
}

}  // namespace
}  // namespace edgewise
