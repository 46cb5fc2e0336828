#include "symbols/perf_map.h"

#include <gtest/gtest.h>

namespace edgewise::symbols {
namespace {

TEST(PerfMapTest, NamesCoverTheirBytesAndNoOthers) {
  const PerfMap map = PerfMap::Parse(
      "7f0000001000 20 LazyCompile:*fibonacci /app/server.js:12\n"
      "0x7f0000002000 0x10 second\n");
  EXPECT_EQ(map.NameAt(0x7f0000001000),
            "LazyCompile:*fibonacci /app/server.js:12");
  EXPECT_EQ(map.NameAt(0x7f000000101f),
            "LazyCompile:*fibonacci /app/server.js:12");
  EXPECT_EQ(map.NameAt(0x7f0000001020), std::nullopt);
  EXPECT_EQ(map.NameAt(0x7f0000000fff), std::nullopt);
  EXPECT_EQ(map.NameAt(0x7f000000200f), "second");
}

TEST(PerfMapTest, TheLastWriterCountsWhereEntriesOverlap) {
  const PerfMap map = PerfMap::Parse(
      "1000 100 old\n"
      "1040 20 new\n");
  EXPECT_EQ(map.NameAt(0x103f), "old");
  EXPECT_EQ(map.NameAt(0x1040), "new");
  EXPECT_EQ(map.NameAt(0x105f), "new");
  EXPECT_EQ(map.NameAt(0x1060), "old");
  const PerfMap covered = PerfMap::Parse("1000 10 a\n1020 10 b\nff0 100 all\n");
  EXPECT_EQ(covered.NameAt(0x1000), "all");
  EXPECT_EQ(covered.NameAt(0x1028), "all");
  EXPECT_EQ(covered.size(), 1U);
}

TEST(PerfMapTest, LinesThatAreNoEntriesAreSkipped) {
  const PerfMap map = PerfMap::Parse(
      "\n# comment\nzzzz 10 no\n1000\n1000 10\n1000 0 empty\n"
      "ffffffffffffffff 10 wraps\n10000000000000000 1 too-large\n"
      "2000 8 fine");
  EXPECT_EQ(map.size(), 1U);
  EXPECT_EQ(map.NameAt(0x2007), "fine");
}

}  // namespace
}  // namespace edgewise::symbols
