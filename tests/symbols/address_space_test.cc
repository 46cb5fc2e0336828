#include <gtest/gtest.h>

#include "symbols/process_table.h"

namespace edgewise::symbols {
namespace {

using stacks::LifeEvent;
using stacks::SpooledLife;
using stacks::SpooledMap;

SpooledLife Life(LifeEvent event, int32_t pid, int32_t parent = 0) {
  SpooledLife life;
  life.event = event;
  life.pid = pid;
  life.tid = pid;
  life.parent = parent;
  return life;
}

TEST(AddressSpaceTest, FindsTheMappingOfAnAddress) {
  AddressSpace space;
  space.Add({0x1000, 0x2000, 0, 1});
  space.Add({0x3000, 0x4000, 0, 2});
  EXPECT_EQ(space.Find(0xfff), nullptr);
  EXPECT_EQ(space.Find(0x1000)->file, 1U);
  EXPECT_EQ(space.Find(0x1fff)->file, 1U);
  EXPECT_EQ(space.Find(0x2000), nullptr);
  EXPECT_EQ(space.Find(0x3fff)->file, 2U);
  EXPECT_EQ(space.Find(0x4000), nullptr);
}

TEST(AddressSpaceTest, ANewMappingReplacesWhatItOverlaps) {
  AddressSpace space;
  space.Add({0x1000, 0x9000, 0x100, 1});
  space.Add({0x3000, 0x4000, 0, 2});
  EXPECT_EQ(space.Find(0x2fff)->file, 1U);
  EXPECT_EQ(space.Find(0x3000)->file, 2U);
  ASSERT_EQ(space.Find(0x4000)->file, 1U);
  // The rest still starts where it did in the file.
  EXPECT_EQ(space.Find(0x4000)->file_offset, 0x100U + 0x3000U);
  space.Add({0x2000, 0x8000, 0, 3});
  EXPECT_EQ(space.Find(0x1fff)->file, 1U);
  EXPECT_EQ(space.Find(0x3800)->file, 3U);
  EXPECT_EQ(space.Find(0x8000)->file, 1U);
}

TEST(AddressSpaceTest, EmptyMappingsAreIgnored) {
  AddressSpace space;
  space.Add({0x2000, 0x2000, 0, 1});
  space.Add({0x2000, 0x1000, 0, 1});
  EXPECT_TRUE(space.empty());
}

TEST(ProcessTableTest, AForkedProcessHasItsParentsMapsAndThenItsOwn) {
  ProcessTable table;
  table.Apply(SpooledMap{10, 0x1000, 0x1000, 0, 1});
  table.Apply(Life(LifeEvent::kFork, 11, 10));
  table.Apply(SpooledMap{11, 0x1000, 0x1000, 0, 2});
  table.Apply(Life(LifeEvent::kFork, 12, 10));
  EXPECT_EQ(table.Find(10)->space->Find(0x1000)->file, 1U);
  EXPECT_EQ(table.Find(11)->space->Find(0x1000)->file, 2U);
  EXPECT_EQ(table.Find(12)->space->Find(0x1000)->file, 1U);
}

TEST(ProcessTableTest, ExecStartsWithoutMaps) {
  ProcessTable table;
  table.Apply(SpooledMap{10, 0x1000, 0x1000, 0, 1});
  const uint64_t before = table.Find(10)->generation;
  table.Apply(Life(LifeEvent::kExec, 10));
  EXPECT_TRUE(table.Find(10)->space->empty());
  EXPECT_NE(table.Find(10)->generation, before);
}

TEST(ProcessTableTest, EndedProcessesAreForgottenInTime) {
  ProcessTable table;
  for (int32_t pid = 1; pid <= 3000; ++pid) {
    table.Apply(SpooledMap{pid, 0x1000, 0x1000, 0, 1});
    table.Apply(Life(LifeEvent::kExit, pid));
  }
  EXPECT_EQ(table.Find(1), nullptr);
  EXPECT_NE(table.Find(3000), nullptr);
}

TEST(ProcessTableTest, AnIdThatIsUsedAgainIsNotForgottenWithItsFirstUser) {
  ProcessTable table;
  table.Apply(SpooledMap{1, 0x1000, 0x1000, 0, 1});
  table.Apply(Life(LifeEvent::kExit, 1));
  table.Apply(Life(LifeEvent::kFork, 1, 5000));
  for (int32_t pid = 2; pid <= 3000; ++pid) {
    table.Apply(SpooledMap{pid, 0x1000, 0x1000, 0, 1});
    table.Apply(Life(LifeEvent::kExit, pid));
  }
  EXPECT_NE(table.Find(1), nullptr);
}

}  // namespace
}  // namespace edgewise::symbols
