#include "client/names.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace edgewise::client {
namespace {

std::string TextOf(uint32_t id) {
  char text[kMaxNameBytes + 1];
  return CopyName(id, text) ? text : "";
}

TEST(NamesTest, SameTextHasTheSameId) {
  const std::string copy = "frame";
  const uint32_t id = InternName("frame");
  EXPECT_NE(id, 0u);
  EXPECT_EQ(InternName(copy.c_str()), id);
  EXPECT_EQ(TextOf(id), "frame");
  EXPECT_NE(InternName("frame2"), id);
}

TEST(NamesTest, ReusedBufferIsNotTakenForItsFormerText) {
  char buffer[16] = "first";
  const uint32_t first = InternName(buffer);
  strcpy(buffer, "firs");
  const uint32_t shorter = InternName(buffer);
  strcpy(buffer, "first!");
  const uint32_t longer = InternName(buffer);
  EXPECT_NE(first, shorter);
  EXPECT_NE(first, longer);
  EXPECT_EQ(TextOf(shorter), "firs");
}

TEST(NamesTest, LongNamesAreCutBetweenCharacters) {
  const std::string ascii(100, 'x');
  EXPECT_EQ(TextOf(InternName(ascii.c_str())), std::string(63, 'x'));
  std::string umlauts;
  for (int i = 0; i < 50; ++i) {
    umlauts += "\xC3\xA4";
  }
  EXPECT_EQ(TextOf(InternName(umlauts.c_str())), umlauts.substr(0, 62));
}

TEST(NamesTest, NoTextIsUnnamed) {
  EXPECT_EQ(TextOf(InternName("")), "(unnamed)");
  EXPECT_EQ(TextOf(InternName(nullptr)), "(unnamed)");
}

TEST(NamesTest, ThreadsAgreeOnTexts) {
  constexpr int kNames = 200;
  std::vector<std::thread> threads;
  std::vector<std::vector<uint32_t>> ids(4);
  for (auto& mine : ids) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < kNames; ++i) {
        mine.push_back(InternName(("concurrent" + std::to_string(i)).c_str()));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const auto& mine : ids) {
    for (int i = 0; i < kNames; ++i) {
      EXPECT_EQ(TextOf(mine[static_cast<size_t>(i)]),
                "concurrent" + std::to_string(i));
    }
  }
}

TEST(NamesTest, NamesReachARegionBeforeAndAfterItIsThere) {
  const uint32_t before = InternName("published before");
  std::vector<NameEntry> region(kNameCapacity);
  PublishNamesTo(region.data());
  const uint32_t after = InternName("published after");
  PublishNamesTo(nullptr);
  EXPECT_EQ(region[before].words[0].load() & 0xFF, strlen("published before"));
  EXPECT_EQ(memcmp(reinterpret_cast<char*>(&region[after]) + 1,
                   "published after", strlen("published after")),
            0);
}

// Last: it uses the table up for the rest of the process.
TEST(NamesTest, ZzFullTableSaysSoAndStillKnowsOldNames) {
  const uint32_t known = InternName("known");
  uint32_t id = 1;
  for (uint32_t i = 0; id != 0; ++i) {
    ASSERT_LE(i, kNameCapacity);
    id = InternName(("filler" + std::to_string(i)).c_str());
  }
  EXPECT_EQ(InternName("one too many"), 0u);
  EXPECT_EQ(InternName("known"), known);
}

}  // namespace
}  // namespace edgewise::client
