#include "project/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/clock.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

// 2026-11-15 18:00:00 UTC.
constexpr int64_t kUtcNs = 1'794'765'600 * kNsPerSecond;

TEST(ZipArchiveTest, TheOrderOfFilesDoesNotMatter) {
  const std::vector<ArchivedFile> one{{"b/x", "second"}, {"a", "first"}};
  const std::vector<ArchivedFile> other{{"a", "first"}, {"b/x", "second"}};
  const auto zip = ZipArchive(one, kUtcNs);
  ASSERT_TRUE(zip.ok()) << zip.error().message;
  EXPECT_EQ(*zip, *ZipArchive(other, kUtcNs));
  EXPECT_TRUE(zip->starts_with("PK\x03\x04"));
  EXPECT_LT(zip->find("a"), zip->find("b/x"));
}

TEST(ZipArchiveTest, TheDateIsThatOfTheRuns) {
  const std::vector<ArchivedFile> files{{"a", "x"}};
  EXPECT_NE(*ZipArchive(files, kUtcNs),
            *ZipArchive(files, kUtcNs + 10 * kNsPerSecond));
  // Before 1980 there is nothing, which is no error.
  EXPECT_EQ(*ZipArchive(files, 0), *ZipArchive(files, kNsPerSecond));
  // Bytes 10 to 13 of a local header: DOS time, then date.
  const std::string zip = *ZipArchive(files, kUtcNs);
  const auto byte = [&zip](size_t i) {
    return static_cast<unsigned>(static_cast<unsigned char>(zip[i]));
  };
  EXPECT_EQ(byte(10) | byte(11) << 8, 18U << 11);
  EXPECT_EQ(byte(12) | byte(13) << 8, (2026U - 1980) << 9 | 11U << 5 | 15U);
}

TEST(ZipArchiveTest, LongFilesAreCompressed) {
  const std::vector<ArchivedFile> files{{"a", std::string(1 << 20, 'x')}};
  const auto zip = ZipArchive(files, kUtcNs);
  ASSERT_TRUE(zip.ok());
  EXPECT_LT(zip->size(), 10'000U);
}

TEST(ZipArchiveTest, NamesThatLeadOutAreRefused) {
  for (const char* name : {"", "/etc/passwd", "../x", "a/../../x", "folder/"}) {
    const std::vector<ArchivedFile> files{{name, "x"}};
    EXPECT_FALSE(ZipArchive(files, kUtcNs).ok()) << name;
  }
}

TEST(ZipArchiveTest, ANameTwiceIsRefused) {
  const std::vector<ArchivedFile> files{{"a", "x"}, {"b", ""}, {"a", "y"}};
  const auto zip = ZipArchive(files, kUtcNs);
  ASSERT_FALSE(zip.ok());
  EXPECT_THAT(zip.error().message, HasSubstr("a would be twice"));
}

}  // namespace
}  // namespace edgewise
