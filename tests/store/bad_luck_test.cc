// What a store meets in the field: full disks, damaged files, refused
// permissions, several openers at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/text.h"
#include "store/database.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Runs `check` in a child, so that limits and users end with it; its failure
// text comes back through a pipe, empty if all was well.
std::string InChild(const std::function<std::string()>& check) {
  int ends[2];
  if (pipe(ends) != 0) {
    return "no pipe";
  }
  const pid_t child = fork();
  if (child == 0) {
    const std::string text = check();
    const ssize_t written = write(ends[1], text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0
             ? text
             : text + " (child ended with " + std::to_string(status) + ")";
}

// Fills a store until there is no space, and reports what went wrong.
std::string FillUp(const fs::path& home) {
  auto store = Store::Open(home);
  if (!store) {
    return "open: " + store.error().message;
  }
  StoreRun(*store, NewRun("aaaaaaaaaaaa"), RegularSpans(100));
  auto writer = store->Begin(NewRun("bbbbbbbbbbbb", 2));
  if (!writer) {
    return "begin: " + writer.error().message;
  }
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  for (int i = 0; i < 1000; ++i) {
    writer->AddSpans(frames, RegularSpans(10'000));
    const auto flushed = writer->Flush();
    if (flushed) {
      continue;
    }
    if (flushed.error().code != ErrorCode::kIo ||
        flushed.error().message.find("no space") == std::string::npos) {
      return "flush: " + flushed.error().message;
    }
    if (writer->BufferedBytes() == 0) {
      return "the buffer was not kept";
    }
    const auto earlier = store->Find("aaaaaaaaaaaa");
    return earlier ? "" : "the earlier Run is lost";
  }
  return "the disk never filled up";
}

TEST(BadLuckTest, AFileSizeLimitIsAFullDisk) {
  const TempHome home;
  EXPECT_EQ(InChild([&] {
              signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{1 << 20, 1 << 20};
              setrlimit(RLIMIT_FSIZE, &limit);
              return FillUp(home.path());
            }),
            "");
  const Store store = home.Open();
  EXPECT_EQ(store.Spans(store.SeriesOf("aaaaaaaaaaaa")->front().id)->size(),
            100U);
  EXPECT_EQ(store.Find("bbbbbbbbbbbb")->state, RunState::kInterrupted);
}

TEST(BadLuckTest, AFullFileSystemIsToldAndKeepsEarlierRuns) {
  const TempHome home;
  const fs::path disk = home.path() / "disk";
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=2m") != 0) {
    GTEST_SKIP() << "mounting a small file system needs root";
  }
  EXPECT_EQ(InChild([&] { return FillUp(disk); }), "");
  {
    const auto store = Store::Open(disk);
    EXPECT_TRUE(store) << store.error().message;
    if (store) {
      EXPECT_TRUE(store->Find("aaaaaaaaaaaa"));
    }
  }
  EXPECT_EQ(umount(disk.c_str()), 0);
}

TEST(BadLuckTest, AFlushAfterSpaceCameBackLosesNothing) {
  const TempHome home;
  Store store = home.Open();
  auto writer = store.Begin(NewRun("aaaaaaaaaaaa"));
  ASSERT_TRUE(writer);
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  writer->AddSpans(frames, RegularSpans(1000));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit none = before;
  none.rlim_cur = 1;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const auto refused = writer->Flush();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kIo) << refused.error().message;
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(store.Spans(frames)->size(), 1000U);
}

// A store with one Run of 20,000 spans, closed.
void MakeStore(const TempHome& home) {
  Store store = home.Open();
  std::vector<Span> spans = RegularSpans(20'000);
  for (size_t i = 0; i < spans.size(); ++i) {
    spans[i].wall_ns += static_cast<int64_t>(i * 7919 % 100'003);
  }
  StoreRun(store, NewRun("aaaaaaaaaaaa"), spans);
}

void Overwrite(const fs::path& file, int64_t offset, const std::string& bytes) {
  std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
  out.seekp(offset);
  out << bytes;
}

void ExpectDamaged(const Error& error, const TempHome& home) {
  EXPECT_EQ(error.code, ErrorCode::kCorrupt) << error.message;
  EXPECT_THAT(error.message, HasSubstr(home.database().string()));
  EXPECT_THAT(error.message, HasSubstr("move it aside"));
}

TEST(BadLuckTest, AFileThatIsNoDatabaseIsLeftAsItIs) {
  const TempHome home;
  const std::string rubbish(10'000, 'x');
  std::ofstream(home.database()) << rubbish;
  const auto store = Store::Open(home.path());
  ASSERT_FALSE(store);
  ExpectDamaged(store.error(), home);
  EXPECT_TRUE(*ReadFile(home.database()) == rubbish);
}

TEST(BadLuckTest, AGarbledHeaderIsToldAndLeftAsItIs) {
  const TempHome home;
  MakeStore(home);
  Overwrite(home.database(), 0, std::string(100, '\xAA'));
  const std::string before = *ReadFile(home.database());
  const auto store = Store::Open(home.path());
  ASSERT_FALSE(store);
  ExpectDamaged(store.error(), home);
  EXPECT_TRUE(*ReadFile(home.database()) == before);
}

TEST(BadLuckTest, ATruncatedFileIsToldAndLeftAsItIs) {
  const TempHome home;
  MakeStore(home);
  fs::resize_file(home.database(), fs::file_size(home.database()) / 2);
  const std::string before = *ReadFile(home.database());
  const auto store = Store::Open(home.path());
  ASSERT_FALSE(store);
  ExpectDamaged(store.error(), home);
  EXPECT_TRUE(*ReadFile(home.database()) == before);
}

TEST(BadLuckTest, AfterMovingADamagedFileAsideThereIsANewStore) {
  const TempHome home;
  std::ofstream(home.database()) << "rubbish";
  ASSERT_FALSE(Store::Open(home.path()));
  fs::rename(home.database(), home.path() / "edgewise.db.damaged");
  EXPECT_TRUE(home.Open().List({})->empty());
}

// Whatever page is hit: figures are right, or an error says "damaged".
TEST(BadLuckTest, FlippedPagesNeverGiveWrongFigures) {
  const TempHome good;
  MakeStore(good);
  const auto pages =
      static_cast<int64_t>(fs::file_size(good.database())) / 4096;
  ASSERT_GT(pages, 20);
  int noticed = 0;
  for (int64_t page = 0; page < pages; ++page) {
    const TempHome home;
    fs::copy_file(good.database(), home.database());
    std::string garbled = ReadFile(home.database())
                              ->substr(static_cast<size_t>(page) * 4096, 4096);
    for (size_t i = 0; i < garbled.size(); i += 61) {
      garbled[i] = static_cast<char>(garbled[i] ^ 0x55);
    }
    Overwrite(home.database(), page * 4096, garbled);
    const auto read = [&]() -> Result<size_t> {
      const auto store = Store::Open(home.path());
      if (!store) {
        return store.error();
      }
      const auto run = store->Find("aaaaaaaaaaaa");
      if (!run) {
        return run.error();
      }
      const auto series = store->SeriesOf(run->id);
      if (!series) {
        return series.error();
      }
      size_t right = 0;
      for (const SeriesInfo& each : *series) {
        const auto spans = store->Spans(each.id);
        if (!spans) {
          return spans.error();
        }
        for (size_t i = 0; i < spans->size(); ++i) {
          const auto wall =
              static_cast<int64_t>(1'000'000 + i * 7919 % 100'003);
          EXPECT_EQ((*spans)[i].wall_ns, wall) << "page " << page;
          ++right;
        }
      }
      return right;
    };
    const auto result = read();
    noticed += result ? 0 : 1;
    EXPECT_TRUE(fs::exists(home.database()));
  }
  EXPECT_GT(noticed, pages / 2);
}

TEST(BadLuckTest, ADamagedDocumentDoesNotHideOtherRuns) {
  const TempHome home;
  {
    Store store = home.Open();
    StoreRun(store, NewRun("aaaaaaaaaaaa", 1));
    StoreRun(store, NewRun("bbbbbbbbbbbb", 2));
  }
  {
    auto database = Database::Open(home.database());
    ASSERT_TRUE((*database)->Execute(
        "UPDATE run SET document = '{' WHERE id = 'bbbbbbbbbbbb'"));
  }
  const Store store = home.Open();
  const auto runs = store.List({});
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ(runs->front().id, "bbbbbbbbbbbb");
  EXPECT_THAT(runs->front().warnings.front(), HasSubstr("damaged"));
}

TEST(BadLuckTest, AHomeThatIsAFileIsRefused) {
  const TempHome home;
  const fs::path file = home.path() / "file";
  std::ofstream(file) << "x";
  const auto store = Store::Open(file);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(store.error().message, HasSubstr("is a file"));
  const auto below = Store::Open(file / "deeper");
  ASSERT_FALSE(below);
  EXPECT_THAT(below.error().message, HasSubstr("EDGEWISE_HOME"));
}

// Opens a store as somebody who has no rights, and hands back the message.
std::string OpenAsNobody(const fs::path& home) {
  return InChild([&]() -> std::string {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
      return "cannot become nobody";
    }
    const auto store = Store::Open(home);
    return store ? "opened" : store.error().message;
  });
}

TEST(BadLuckTest, AFolderWithoutWritePermissionIsToldWithTheWayOut) {
  const TempHome home;
  ASSERT_EQ(chmod(home.path().c_str(), 0555), 0);
  EXPECT_THAT(OpenAsNobody(home.path()),
              ::testing::AllOf(HasSubstr("EDGEWISE_HOME"),
                               HasSubstr("Permission denied")));
  ASSERT_EQ(chmod(home.path().c_str(), 0755), 0);
}

TEST(BadLuckTest, AStoreWithoutWritePermissionIsToldWithTheWayOut) {
  const TempHome home;
  MakeStore(home);
  ASSERT_EQ(chmod(home.database().c_str(), 0444), 0);
  ASSERT_EQ(chmod(home.path().c_str(), 0555), 0);
  EXPECT_THAT(OpenAsNobody(home.path()), HasSubstr("EDGEWISE_HOME"));
  ASSERT_EQ(chmod(home.path().c_str(), 0755), 0);
}

TEST(BadLuckTest, ManyProcessesMayMakeTheStoreAtOnce) {
  const TempHome home;
  const fs::path fresh = home.path() / "fresh";
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto store = Store::Open(fresh);
      if (!store) {
        _exit(1);
      }
      StoreRun(*store, NewRun(NewRunId()), RegularSpans(100));
      _exit(::testing::Test::HasFailure() ? 2 : 0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Store::Open(fresh)->List({})->size(), 8U);
}

}  // namespace
}  // namespace edgewise
