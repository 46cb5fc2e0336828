#include "client/csv_log.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "edgewise/edgewise.h"

namespace edgewise::client {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

class CsvLogTest : public testing::Test {
 protected:
  CsvLogTest() {
    char directory[] = "/tmp/edgewise-csv-XXXXXX";
    EXPECT_NE(mkdtemp(directory), nullptr);
    directory_ = directory;
  }
  ~CsvLogTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const {
    return (directory_ / name).string();
  }
  int Append(const std::string& meta = {},
             const std::string& file = "log.csv") const {
    return AppendCsvRow(Path(file).c_str(), {"frame", 12'500'000, 6'250'000, 42,
                                             meta.data(), meta.size()});
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::filesystem::path directory_;
};

TEST_F(CsvLogTest, RowHasTheLabsColumns) {
  ASSERT_EQ(Append("src=camera"), 0);
  const std::string text = Read("log.csv");
  EXPECT_THAT(text,
              StartsWith("label,wall_ms,cpu_ms,cpu_percent,rss_mb,threads,"
                         "affinity,timestamp_ns,src\r\n"
                         "frame,12.5,6.25,50.0,"));
  EXPECT_THAT(text.substr(text.find('\n') + 1),
              MatchesRegex("frame,12\\.5,6\\.25,50\\.0,[0-9]+\\.[0-9]+,[0-9]+,"
                           "(\"[0-9,]+\"|[0-9]+),42,camera\r\n"));
}

TEST_F(CsvLogTest, HeaderIsWrittenOnce) {
  ASSERT_EQ(Append(), 0);
  ASSERT_EQ(Append(), 0);
  const std::string text = Read("log.csv");
  EXPECT_EQ(text.find("label"), text.rfind("label"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST_F(CsvLogTest, OtherMetadataKeysGoToAnotherFile) {
  ASSERT_EQ(Append("a=1"), 0);
  ASSERT_EQ(Append("b=2"), 0);
  ASSERT_EQ(Append(), 0);
  ASSERT_EQ(Append("b=3"), 0);
  ASSERT_EQ(Append("a=4"), 0);
  const auto rows = [&](const std::string& name) {
    const std::string text = Read(name);
    return std::count(text.begin(), text.end(), '\n') - 1;
  };
  EXPECT_EQ(rows("log.csv"), 2);
  EXPECT_EQ(rows("log-2.csv"), 2);
  EXPECT_EQ(rows("log-3.csv"), 1);
  EXPECT_THAT(Read("log-2.csv"), HasSubstr("timestamp_ns,b\r\n"));
}

TEST_F(CsvLogTest, NumberGoesBeforeTheExtensionOfTheNameOnly) {
  std::filesystem::create_directory(directory_ / "v1.2");
  ASSERT_EQ(Append("a=1", "v1.2/log"), 0);
  ASSERT_EQ(Append("b=1", "v1.2/log"), 0);
  EXPECT_TRUE(std::filesystem::exists(directory_ / "v1.2" / "log-2"));
}

TEST_F(CsvLogTest, FieldsAreQuotedWhereNeeded) {
  ASSERT_EQ(Append("what=a,b \"c\""), 0);
  EXPECT_THAT(Read("log.csv"), HasSubstr(",42,\"a,b \"\"c\"\"\"\r\n"));
}

TEST_F(CsvLogTest, MetadataMayReplaceAColumn) {
  ASSERT_EQ(Append("label=mine"), 0);
  const std::string text = Read("log.csv");
  EXPECT_THAT(text, HasSubstr("timestamp_ns\r\nmine,12.5"));
}

TEST_F(CsvLogTest, UnknownCpuTimeIsEmpty) {
  ASSERT_EQ(
      AppendCsvRow(Path("log.csv").c_str(),
                   {"timer", 1'000'000, EDGEWISE_NO_CPU_TIME, 1, nullptr, 0}),
      0);
  EXPECT_THAT(Read("log.csv"), HasSubstr("\ntimer,1.0,,,"));
}

TEST_F(CsvLogTest, EmptyFileGetsAHeader) {
  std::ofstream(Path("log.csv")).close();
  ASSERT_EQ(Append(), 0);
  EXPECT_THAT(Read("log.csv"), StartsWith("label,"));
}

TEST_F(CsvLogTest, FailuresAreReturned) {
  EXPECT_EQ(Append("", "missing/log.csv"), ENOENT);
  EXPECT_EQ(Append("key=" + std::string(9000, 'x')), E2BIG);
  std::string many;
  for (int i = 0; i < 40; ++i) {
    many += "k" + std::to_string(i) + "=v\n";
  }
  EXPECT_EQ(Append(many), E2BIG);
  EXPECT_EQ(edgewise_csv_append(nullptr, "x", 0, 0, 0, nullptr, 0), EINVAL);
}

TEST_F(CsvLogTest, ProcessesShareAFileWithoutMixingRows) {
  constexpr int kProcesses = 8;
  constexpr int kRows = 50;
  for (int i = 0; i < kProcesses; ++i) {
    if (fork() == 0) {
      for (int row = 0; row < kRows; ++row) {
        if (Append("src=camera") != 0) {
          _exit(1);
        }
      }
      _exit(0);
    }
  }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 0;
    ASSERT_GT(wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  std::istringstream lines(Read("log.csv"));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_THAT(line, StartsWith("label,"));
  int rows = 0;
  for (; std::getline(lines, line); ++rows) {
    EXPECT_THAT(line, StartsWith("frame,12.5,6.25,50.0,"));
    EXPECT_THAT(line, testing::EndsWith(",42,camera\r"));
  }
  EXPECT_EQ(rows, kProcesses * kRows);
}

}  // namespace
}  // namespace edgewise::client
