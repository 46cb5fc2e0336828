#include "server/extender_args.h"

#include <gmock/gmock.h>

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

// As kube-scheduler 1.30 sends it with nodeCacheCapable: true, less what it
// repeats of a pod's specification.
constexpr char kByNames[] = R"({
  "Pod": {
    "metadata": {
      "name": "camera-7d9c5b6f4-x2x8q",
      "generateName": "camera-7d9c5b6f4-",
      "namespace": "vision",
      "uid": "0b2a6f1e-5d0c-4b4f-9a53-6f1f9f0e7c11",
      "resourceVersion": "8121",
      "creationTimestamp": "2026-11-10T09:12:44Z",
      "labels": {"app.kubernetes.io/name": "camera", "edgewise/rate": "1"},
      "annotations": {"edgewise/app": "mobilenet-v3", "edgewise/rate": "5",
                      "edgewise/promise": "p95 within 80 ms"},
      "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet",
        "name": "camera-7d9c5b6f4", "uid": "u", "controller": true,
        "blockOwnerDeletion": true}]
    },
    "spec": {
      "containers": [{"name": "camera", "image": "lab/camera:1",
        "resources": {"limits": {"memory": "640Mi"},
                      "requests": {"cpu": "120m", "memory": "640Mi"}}}],
      "restartPolicy": "Always", "schedulerName": "default-scheduler",
      "tolerations": [{"key": "node.kubernetes.io/not-ready",
        "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}]
    },
    "status": {"phase": "Pending", "qosClass": "Burstable"}
  },
  "Nodes": null,
  "NodeNames": ["edge-1", "edge-2"]
})";

constexpr char kByObjects[] = R"({
  "pod": {"metadata": {"name": "job", "creationTimestamp": null}, "spec": {}},
  "nodes": {
    "metadata": {"resourceVersion": "77"},
    "items": [
      {"metadata": {"name": "edge-1", "labels": {"kubernetes.io/arch": "arm64"}},
       "spec": {"podCIDR": "10.42.0.0/24"},
       "status": {"allocatable": {"cpu": "4", "memory": "3884312Ki"}}},
      {"metadata": {"name": "edge-2"}, "spec": {}, "status": {}}
    ]
  },
  "nodenames": null
})";

ExtenderArgs Read(std::string_view json) {
  auto read = ReadExtenderArgs(json);
  EXPECT_TRUE(std::holds_alternative<ExtenderArgs>(read)) << json;
  return std::holds_alternative<ExtenderArgs>(read)
             ? std::get<ExtenderArgs>(std::move(read))
             : ExtenderArgs();
}

std::string FieldOf(std::string_view json) {
  const auto read = ReadExtenderArgs(json);
  EXPECT_TRUE(std::holds_alternative<Problem>(read)) << json;
  return std::holds_alternative<Problem>(read) ? std::get<Problem>(read).field
                                               : "none";
}

TEST(ExtenderArgsTest, APodAndNamesOfNodesAreRead) {
  const ExtenderArgs args = Read(kByNames);
  EXPECT_EQ(args.pod, "vision/camera-7d9c5b6f4-x2x8q");
  EXPECT_THAT(
      args.annotations,
      UnorderedElementsAre(Pair("edgewise/app", "mobilenet-v3"),
                           Pair("edgewise/rate", "5"),
                           Pair("edgewise/promise", "p95 within 80 ms")));
  EXPECT_THAT(args.nodes, ElementsAre("edge-1", "edge-2"));
  EXPECT_TRUE(args.names_only);
}

TEST(ExtenderArgsTest, WhatWasAskedByNamesIsAnsweredByNames) {
  EXPECT_EQ(FilterResultJson(Read(kByNames), {{true, false, "", 7},
                                              {false, false, "it is full", 0}}),
            R"({"Error":"","FailedAndUnresolvableNodes":{},)"
            R"("FailedNodes":{"edge-2":"it is full"},"Nodes":null,)"
            R"("NodeNames":["edge-1"]})"
            "\n");
}

TEST(ExtenderArgsTest, WholeNodesComeBackAsTheyWere) {
  const ExtenderArgs args = Read(kByObjects);
  EXPECT_EQ(args.pod, "default/job");
  EXPECT_FALSE(args.names_only);
  EXPECT_EQ(
      FilterResultJson(args, {{true, false, "", 7}, {false, true, "never", 0}}),
      R"({"Error":"","FailedAndUnresolvableNodes":{"edge-2":"never"},)"
      R"("FailedNodes":{},"Nodes":{"metadata":{},"items":[{"metadata":)"
      R"({"labels":{"kubernetes.io/arch":"arm64"},"name":"edge-1"},)"
      R"("spec":{"podCIDR":"10.42.0.0/24"},)"
      R"("status":{"allocatable":{"cpu":"4","memory":"3884312Ki"}}}]},)"
      R"("NodeNames":null})"
      "\n");
}

TEST(ExtenderArgsTest, NoNodeIsAnEmptyListAndNotNull) {
  const std::string json = FilterResultJson(
      Read(kByNames), {{false, false, "a", 0}, {false, false, "b", 0}});
  EXPECT_THAT(json, testing::HasSubstr("\"NodeNames\":[]"));
}

TEST(ExtenderArgsTest, ScoresAreAHostPriorityList) {
  EXPECT_EQ(PrioritiesJson(Read(kByNames),
                           {{true, false, "", 7}, {true, false, "", 0}}),
            R"([{"Host":"edge-1","Score":7},{"Host":"edge-2","Score":0}])"
            "\n");
}

TEST(ExtenderArgsTest, AnErrorHasAllMembers) {
  EXPECT_EQ(FilterErrorJson("nobody knows"),
            R"({"Error":"nobody knows","FailedAndUnresolvableNodes":{},)"
            R"("FailedNodes":{},"NodeNames":null,"Nodes":null})"
            "\n");
}

TEST(ExtenderArgsTest, OtherBodiesAreRefused) {
  EXPECT_EQ(FieldOf(""), "");
  EXPECT_EQ(FieldOf("[]"), "");
  EXPECT_EQ(FieldOf("{}"), "Pod");
  EXPECT_EQ(FieldOf(R"({"Pod": {"metadata": {}}, "NodeNames": []})"), "Pod");
  const std::string pod = R"({"Pod": {"metadata": {"name": "p"}})";
  EXPECT_EQ(FieldOf(pod + "}"), "Nodes");
  EXPECT_EQ(FieldOf(pod + R"(, "NodeNames": [1]})"), "NodeNames");
  EXPECT_EQ(FieldOf(pod + R"(, "NodeNames": "a"})"), "NodeNames");
  EXPECT_EQ(FieldOf(pod + R"(, "Nodes": {"items": {}}})"), "Nodes");
  EXPECT_EQ(FieldOf(pod + R"(, "Nodes": {"items": [{}]}})"), "Nodes");
  EXPECT_EQ(FieldOf(pod + ", \"x\": " + std::string(100, '[') +
                    std::string(100, ']') + "}"),
            "");
}

}  // namespace
}  // namespace edgewise
