#include "prediction/data_tables.h"

#include <gmock/gmock.h>

#include <cmath>

namespace edgewise {
namespace {

using testing::HasSubstr;

const char kLayers[] =
    "model,layer,type,kernel_w,stride,groups,in_shape,out_shape,macs,"
    "parameters,int8\n"
    "a,0,Convolution,3,2,1,3x8x8,16x4x4,6912,448,0\n"
    "a,1,Pooling,,,,16x4x4,16,0,0,0\n"
    "b,0,InnerProduct,,,,16,10,160,170,1\n";
const char kLatencies[] =
    "device,cpu_arch,cores_text,backend,threads,powersave,model,min_ms,run,"
    "suspect\n"
    "Board,Cortex-A72,1.8GHz x 4,cpu,4,1,a,10,1.1,0\n"
    "Board,Cortex-A72,1.8GHz x 4,cpu,4,1,b,2,1.1,1\n"
    "Board,Cortex-A72,1.8GHz x 4,vulkan,4,0,a,3,1.2,0\n"
    "Other,,,cpu,1,0,b,5,1.10,0\n";

TEST(DataTablesTest, RunsNetworksAndFiguresAreJoined) {
  const auto data =
      ReadLatencyData({{"lat.csv", kLatencies}, {"lay.csv", kLayers}});
  ASSERT_TRUE(data);
  ASSERT_EQ(data->networks.size(), 2u);
  EXPECT_EQ(data->networks[0].layers.size(), 2u);
  EXPECT_EQ(data->networks[0].layers[0].stride, 2);
  EXPECT_TRUE(data->networks[1].layers[0].int8);
  ASSERT_EQ(data->runs.size(), 2u);
  EXPECT_EQ(data->runs[0].spec.threads, 4);
  EXPECT_EQ(data->runs[0].spec.core, CoreKind::kArmMiddle);
  EXPECT_TRUE(data->runs[0].spec.little_cores);
  EXPECT_DOUBLE_EQ(data->log_ms(0, 0), std::log(10));
  EXPECT_DOUBLE_EQ(data->log_ms(1, 1), std::log(5));
}

TEST(DataTablesTest, SuspectRowsAndOtherBackendsAreLeftOut) {
  const auto data =
      ReadLatencyData({{"lat.csv", kLatencies}, {"lay.csv", kLayers}});
  ASSERT_TRUE(data);
  EXPECT_TRUE(std::isnan(data->log_ms(0, 1)));
  EXPECT_EQ(data->left_out, 2);
  EXPECT_EQ(data->Measurements(), 2);
}

TEST(DataTablesTest, TheDigestFollowsTheTables) {
  const auto a = ReadLatencyData({{"lat", kLatencies}, {"lay", kLayers}});
  std::string changed = kLatencies;
  changed[changed.find("10,1.1")] = '2';
  const auto b = ReadLatencyData({{"lat", changed}, {"lay", kLayers}});
  ASSERT_TRUE(a);
  ASSERT_TRUE(b);
  EXPECT_NE(a->digest, b->digest);
}

TEST(DataTablesTest, AMissingTableIsNamed) {
  const auto data = ReadLatencyData({{"lay.csv", kLayers}});
  ASSERT_FALSE(data);
  EXPECT_THAT(data.error().message, HasSubstr("latencies"));
}

TEST(DataTablesTest, ATableOfSomethingElseIsRefused) {
  const auto data = ReadLatencyData({{"x.csv", "colour,size\nred,1\n"}});
  ASSERT_FALSE(data);
  EXPECT_THAT(data.error().message, HasSubstr("x.csv"));
}

TEST(DataTablesTest, ATimeThatIsNoneIsRefusedByRow) {
  std::string bad = kLatencies;
  bad.replace(bad.find(",10,1.1"), 3, ",-1");
  const auto data = ReadLatencyData({{"lat.csv", bad}, {"lay.csv", kLayers}});
  ASSERT_FALSE(data);
  EXPECT_THAT(data.error().message, HasSubstr("lat.csv, row 1: min_ms"));
}

TEST(DataTablesTest, MeasuredNetworksAreReadByName) {
  const auto table = ParseCsv("model,ms\na,1.5\nb,2\n", "m.csv");
  ASSERT_TRUE(table);
  const auto measured = ReadMeasuredTable(*table, "m.csv");
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->at("a"), 1.5);
}

}  // namespace
}  // namespace edgewise
