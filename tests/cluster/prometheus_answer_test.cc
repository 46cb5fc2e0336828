#include "cluster/prometheus_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::cluster {
namespace {

using testing::HasSubstr;

std::string Vector(const std::string& result) {
  return R"({"status":"success","data":{"resultType":"vector","result":[)" +
         result + "]}}";
}

TEST(PrometheusAnswerTest, ReadsSamplesWithTheirLabels) {
  const auto samples = ReadVector(Vector(
      R"({"metric":{"instance":"a","cpu_brand":"x"},"value":[1700000000.5,"0.25"]})"));
  ASSERT_TRUE(samples.ok());
  ASSERT_EQ(samples->size(), 1U);
  EXPECT_EQ(samples->front().Label("instance"), "a");
  EXPECT_EQ(samples->front().LabelEndingWith("brand"), "x");
  EXPECT_EQ(samples->front().Label("none"), "");
  EXPECT_DOUBLE_EQ(samples->front().value, 0.25);
  EXPECT_DOUBLE_EQ(samples->front().time_s, 1700000000.5);
}

TEST(PrometheusAnswerTest, ValuesThatAreNoNumbersAreLeftOut) {
  const auto samples = ReadVector(Vector(
      R"({"metric":{},"value":[1,"NaN"]},{"metric":{},"value":[1,"+Inf"]},)"
      R"({"metric":{},"value":[1,7]},{"metric":{},"value":[1,"7"]})"));
  ASSERT_TRUE(samples.ok());
  ASSERT_EQ(samples->size(), 1U);
  EXPECT_DOUBLE_EQ(samples->front().value, 7);
}

TEST(PrometheusAnswerTest, ErrorsOfPrometheusArePassedOn) {
  const auto refused = ReadVector(
      R"({"status":"error","errorType":"bad_data","error":"parse error"})");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, HasSubstr("parse error"));
}

TEST(PrometheusAnswerTest, OtherAnswersAreNotTakenForOne) {
  for (const char* text :
       {"", "<html>", "[]", "{}", R"({"status":"success"})",
        R"({"status":"success","data":{"resultType":"matrix","result":[]}})",
        R"({"status":"success","data":{"resultType":"vector","result":{}}})",
        R"({"status":"success","data":{"resultType":"vector","result":[1]}})",
        R"({"status":7,"data":[]})"}) {
    EXPECT_FALSE(ReadVector(text).ok()) << text;
  }
}

}  // namespace
}  // namespace edgewise::cluster
