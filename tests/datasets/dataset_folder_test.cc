#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <ctime>

#include "base/sha256.h"
#include "datasets/dataset.h"
#include "datasets/scratch.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DatasetFolderTest : public ScratchTest {
 protected:
  Result<Dataset> Get(const std::string& source,
                      std::optional<std::string> sha256 = std::nullopt) {
    return GetDataset({source, std::move(sha256)}, settings_);
  }
  // As if it had been written a minute ago.
  void Age(const std::string& name) const {
    const time_t before = std::time(nullptr) - 60;
    const timespec times[2] = {{before, 0}, {before, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (scratch_ / name).c_str(), times, 0), 0);
  }
};

TEST_F(DatasetFolderTest, DigestIsWhatSha256sumSaysOfTheFiles) {
  Put("data/b.txt", "second");
  Put("data/a/x.bin", "first");
  const auto dataset = Get("data");
  ASSERT_TRUE(dataset) << dataset.error().message;
  EXPECT_EQ(dataset->digest, Sha256Of(Sha256Of("first") + "  a/x.bin\n" +
                                      Sha256Of("second") + "  b.txt\n"));
  EXPECT_EQ(dataset->files, 2);
  EXPECT_EQ(dataset->bytes, 11);
  EXPECT_EQ(dataset->folder, fs::canonical(scratch_ / "data"));
}

TEST_F(DatasetFolderTest, NamesContentAndLinksCountTimesAndFoldersDoNot) {
  Put("data/a", "1");
  const std::string digest = Get("data")->digest;
  fs::create_directory(scratch_ / "data/empty");
  Age("data/a");
  EXPECT_EQ(Get("data")->digest, digest);
  Put("data/a", "2");
  EXPECT_NE(Get("data")->digest, digest);
  Put("data/a", "1");
  EXPECT_EQ(Get("data")->digest, digest);
  fs::create_symlink("a", scratch_ / "data/b");
  EXPECT_NE(Get("data")->digest, digest);
  fs::remove(scratch_ / "data/b");
  fs::rename(scratch_ / "data/a", scratch_ / "data/c");
  EXPECT_NE(Get("data")->digest, digest);
}

TEST_F(DatasetFolderTest, AChangeThatKeepsSizeAndTimeIsStillNoticed) {
  Put("data/a", "1");
  Age("data/a");
  const std::string digest = Get("data")->digest;
  Put("data/a", "2");
  Age("data/a");
  EXPECT_NE(Get("data")->digest, digest);
}

TEST_F(DatasetFolderTest, AWrongChecksumIsRefusedAndSaysTheRightOne) {
  Put("data/a", "1");
  const std::string digest = Get("data")->digest;
  EXPECT_TRUE(Get("data", digest));
  const auto wrong = Get("data", std::string(64, '0'));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(wrong.error().message, HasSubstr(digest));
  const auto none = Get("data", "abc");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kInvalid);
}

TEST_F(DatasetFolderTest, WhatIsNoDatasetIsRefusedInOneSentence) {
  EXPECT_EQ(Get("nowhere").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Get("").error().code, ErrorCode::kInvalid);
  fs::create_directory(scratch_ / "empty");
  EXPECT_THAT(Get("empty").error().message, HasSubstr("is empty"));
  Put("out/a", "1");
  fs::create_symlink("../out", scratch_ / "out/way");
  EXPECT_THAT(Get("out").error().message, HasSubstr("leads out"));
  Put("pipe/a", "1");
  ASSERT_EQ(::mkfifo((scratch_ / "pipe/p").c_str(), 0600), 0);
  EXPECT_THAT(Get("pipe").error().message, HasSubstr("neither a file nor"));
}

TEST_F(DatasetFolderTest, AListenerCanEndIt) {
  Put("data/a", std::string(1 << 20, 'x'));
  const auto cancelled =
      GetDataset({"data", {}}, settings_, [](const DatasetProgress& progress) {
        EXPECT_EQ(progress.total_bytes, 1 << 20);
        return false;
      });
  EXPECT_FALSE(cancelled);
}

TEST_F(DatasetFolderTest, NoCacheIsNeeded) {
  Put("data/a", "1");
  Put("file", "");
  settings_.cache_folder = scratch_ / "file/cache";
  EXPECT_TRUE(Get("data"));
}

}  // namespace
}  // namespace edgewise
