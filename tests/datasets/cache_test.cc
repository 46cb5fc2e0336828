#include "datasets/cache.h"

#include <sys/wait.h>

#include <csignal>

#include "base/sha256.h"
#include "datasets/scratch.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

class CacheTest : public ScratchTest {
 protected:
  DatasetCache Open() { return *DatasetCache::Open(settings_.cache_folder); }

  // A dataset of one file with that many bytes.
  DatasetCache::Held Add(const std::string& name, int64_t bytes) {
    const DatasetCache cache = Open();
    auto work = cache.NewWork();
    EXPECT_TRUE(work);
    std::ofstream(work->path() / "files" / name)
        << std::string(static_cast<size_t>(bytes), 'x');
    CachedDataset about;
    about.digest = Sha256Of(name);
    about.source = name;
    about.bytes = bytes;
    about.files = 1;
    auto held = cache.Add(*work, about);
    EXPECT_TRUE(held) << held.error().message;
    return std::move(*held);
  }
  size_t CountIn(const char* part) const {
    const fs::directory_iterator all(settings_.cache_folder / part);
    return static_cast<size_t>(std::distance(begin(all), end(all)));
  }
};

TEST_F(CacheTest, WhatIsInUseIsNeverRemoved) {
  auto held = std::make_unique<DatasetCache::Held>(Add("used", 10));
  (void)Add("unused", 10);
  EXPECT_EQ(Open().Prune(0, true).datasets, 1);
  EXPECT_TRUE(fs::exists(held->dataset.folder / "used"));
  EXPECT_TRUE(Open().List().at(0).in_use);
  held.reset();
  EXPECT_EQ(Open().Prune(0, true).datasets, 1);
  EXPECT_TRUE(Open().List().empty());
  EXPECT_EQ(CountIn("sets") + CountIn("work"), 0U);
}

TEST_F(CacheTest, WhatIsThereAlreadyIsAsGood) {
  const auto first = Add("same", 10);
  const auto second = Add("same", 10);
  EXPECT_EQ(first.dataset.folder, second.dataset.folder);
  EXPECT_EQ(Open().List().size(), 1U);
  EXPECT_EQ(CountIn("work"), 0U);
}

TEST_F(CacheTest, WorkGoesWithItsOwnerAndPartsStay) {
  const DatasetCache cache = Open();
  fs::path work_path;
  fs::path partial_path;
  {
    auto work = cache.NewWork();
    work_path = work->path();
    auto partial = cache.OpenPartial("source");
    partial_path = (*partial)->path();
    EXPECT_FALSE(*cache.OpenPartial("source"));
    EXPECT_TRUE(*cache.OpenPartial("another"));
    // Others do not touch what is held.
    EXPECT_TRUE(fs::exists(Open().folder()));
    EXPECT_TRUE(fs::exists(work_path));
  }
  EXPECT_FALSE(fs::exists(work_path));
  EXPECT_TRUE(fs::exists(partial_path));
  cache.Prune(0, /*partial=*/true);
  EXPECT_EQ(CountIn("partial"), 0U);
}

TEST_F(CacheTest, WhatAKilledProcessLeftIsSwept) {
  (void)Open();
  const pid_t child = ::fork();
  if (child == 0) {
    auto work = Open().NewWork();
    std::ofstream(work->path() / "files/half") << "half";
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(CountIn("work"), 2U);  // the folder and its lock
  (void)Open();
  EXPECT_EQ(CountIn("work"), 0U);
}

TEST_F(CacheTest, RecordsThatAreNoneAreForgotten) {
  const DatasetCache cache = Open();
  KnownSource known;
  known.version = "v with blanks";
  known.digest = Sha256Of("x");
  ASSERT_TRUE(cache.Remember("source", known));
  EXPECT_EQ(cache.Find("source")->version, "v with blanks");
  EXPECT_FALSE(cache.Find("another"));
  Put("cache/sources/" + Sha256Of("broken"), "digest ../../etc\n");
  EXPECT_FALSE(cache.Find("broken"));
  EXPECT_FALSE(cache.Hold("../../etc"));
}

}  // namespace
}  // namespace edgewise
