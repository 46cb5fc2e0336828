#include "prediction/load_rows.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

constexpr std::string_view kHeader =
    "model,cpu_usage(percentage),device_type,threads,mean_ms,precision\n";

Result<std::vector<LoadRow>> Read(const std::string& rows) {
  const auto table = ParseCsv(std::string(kHeader) + rows, "load.csv");
  EXPECT_TRUE(table);
  EXPECT_TRUE(IsLoadTable(*table));
  return ReadLoadTable(*table, "load.csv");
}

TEST(LoadRowsTest, ColumnsAreFoundByTitle) {
  const auto rows = Read(
      "squeezenet,51.5,Raspberry Pi 4,2,61.2,fp32\n"
      "squeezenet,0,Raspberry Pi 4,2,40,int8\n");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_EQ((*rows)[0].network, "squeezenet");
  EXPECT_EQ((*rows)[0].device, "Raspberry Pi 4");
  EXPECT_EQ((*rows)[0].threads, 2);
  EXPECT_EQ((*rows)[0].load_percent, 51.5);
  EXPECT_EQ((*rows)[0].mean_ms, 61.2);
  EXPECT_EQ((*rows)[1].network, "squeezenet_int8");
}

TEST(LoadRowsTest, AnUnknownLoadIsNotZero) {
  const auto rows = Read("squeezenet,,board,1,61.2,\n");
  ASSERT_TRUE(rows);
  EXPECT_TRUE(rows->empty());
}

TEST(LoadRowsTest, WrongFieldsAreNamed) {
  for (const auto& [row, column] : {std::pair("m,101,b,1,2,", "cpu_usage"),
                                    std::pair("m,x,b,1,2,", "cpu_usage"),
                                    std::pair("m,1,b,1,0,", "mean_ms"),
                                    std::pair("m,1,b,0,2,", "threads")}) {
    const auto rows = Read(std::string(row) + "\n");
    ASSERT_FALSE(rows) << row;
    EXPECT_NE(rows.error().message.find(column), std::string::npos)
        << rows.error().message;
  }
}

TEST(LoadRowsTest, AMissingColumnIsNamed) {
  const auto table =
      ParseCsv("model,cpu_usage(percentage),mean_ms\nm,1,2\n", "load.csv");
  const auto rows = ReadLoadTable(*table, "load.csv");
  ASSERT_FALSE(rows);
  EXPECT_NE(rows.error().message.find("device_type"), std::string::npos);
}

}  // namespace
}  // namespace edgewise
