#include "cluster/read_pods.h"

#include <gtest/gtest.h>

namespace edgewise::cluster {
namespace {

// As Prometheus answers PodsQuery.
constexpr char kAnswer[] = R"({"status":"success","data":{"resultType":"vector",
"result":[
 {"metric":{"namespace":"vision","pod":"camera-b","uid":"2","node":"edge-1",
   "annotation_edgewise_app":"gcn","annotation_edgewise_rate":"5"},
  "value":[1789000000.1,"1"]},
 {"metric":{"namespace":"vision","pod":"camera-a","uid":"1","node":"edge-2",
   "annotation_edgewise_app":"lstm"},"value":[1789000000.1,"1"]},
 {"metric":{"namespace":"vision","pod":"camera-a","uid":"1","node":"edge-3",
   "annotation_edgewise_app":"lstm"},"value":[1789000000.1,"1"]},
 {"metric":{"namespace":"vision","pod":"waiting","uid":"3","node":"",
   "annotation_edgewise_app":"lstm"},"value":[1789000000.1,"1"]}]}})";

TEST(ReadPodsTest, PodsHaveTheirNodesAndAnnotations) {
  const auto samples = ReadVector(kAnswer);
  ASSERT_TRUE(samples);
  const auto pods = PodsFrom(*samples);
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[0].name, "vision/camera-a");
  EXPECT_EQ(pods[0].node, "edge-2") << "of two series the first counts";
  EXPECT_EQ(pods[1].node, "edge-1");
  EXPECT_EQ(pods[1].annotations.at("edgewise_rate"), "5");
  EXPECT_EQ(pods[1].annotations.size(), 2u);
}

TEST(ReadPodsTest, OnlyPodsWithTheAnnotationAreAskedFor) {
  EXPECT_NE(PodsQuery("edgewise_app").find("annotation_edgewise_app!=\"\""),
            std::string::npos);
}

}  // namespace
}  // namespace edgewise::cluster
