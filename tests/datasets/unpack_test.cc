#include "datasets/unpack.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "datasets/scratch.h"

namespace edgewise {
namespace {

using testing::HasSubstr;

class UnpackTest : public ScratchTest {
 protected:
  UnpackTest() {
    Put("in/a", std::string(100, 'a'));
    Put("in/b", std::string(200, 'b'));
    const std::string command =
        "tar -cf " + ShellQuote({(scratch_ / "x.tar").string(), "-C",
                                 (scratch_ / "in").string(), "a", "b"});
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::filesystem::create_directory(scratch_ / "out");
  }
  Result<Manifest> UnpackIt(const UnpackListener& listener = {}) {
    return Unpack(scratch_ / "x.tar", "x.tar", scratch_ / "out", limits_,
                  listener);
  }
  UnpackLimits limits_;
};

TEST_F(UnpackTest, WhatIsInTheArchiveIsInTheManifest) {
  const auto manifest = UnpackIt();
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->files(), 2);
  EXPECT_EQ(manifest->bytes(), 300);
}

TEST_F(UnpackTest, LimitsAreExact) {
  limits_.max_files = 2;
  limits_.max_bytes = 300;
  EXPECT_TRUE(UnpackIt());
  limits_.max_files = 1;
  EXPECT_THAT(UnpackIt().error().message, HasSubstr("more than 1 file"));
  limits_ = {};
  limits_.max_bytes = 299;
  EXPECT_THAT(UnpackIt().error().message, HasSubstr("larger than 299 B"));
  limits_ = {};
  limits_.ratio_from_bytes = 10;
  EXPECT_TRUE(UnpackIt());  // it is larger packed
}

TEST_F(UnpackTest, AListenerCanEndIt) {
  EXPECT_EQ(UnpackIt([](int64_t bytes) { return bytes < 150; }).error().code,
            ErrorCode::kBusy);
}

TEST(ArchiveNameTest, OnlyArchivesAreUnpacked) {
  for (const char* const name : {"x.zip", "X.TAR.GZ", "a.b.tgz", "x.tar.zst"}) {
    EXPECT_TRUE(IsArchiveName(name)) << name;
  }
  for (const char* const name : {"x.gz", "zip", "x.npz", "x.zip.txt", ""}) {
    EXPECT_FALSE(IsArchiveName(name)) << name;
  }
}

}  // namespace
}  // namespace edgewise
