#include "history/node.h"

#include <gtest/gtest.h>

#include "store/temporary_store.h"

namespace edgewise {
namespace {

TEST(NodeTest, IsReadFromItsFile) {
  const auto node = ReadNode(
      "name: pi\ncores: 4\nmemory: 8GiB\nreserved_memory: 512MiB\n"
      "gpu_memory: 0\n",
      "pi.yaml");
  ASSERT_TRUE(node) << node.error().message;
  EXPECT_EQ(node->name, "pi");
  EXPECT_EQ(node->cores, 4);
  EXPECT_EQ(node->memory_bytes, 8.0 * (1 << 30));
  EXPECT_EQ(node->reserved_memory_bytes, 512.0 * (1 << 20));
  EXPECT_EQ(node->gpu_memory_bytes, 0.0);
  EXPECT_FALSE(node->gpu_bandwidth_gbs);
}

TEST(NodeTest, BadFilesAreRefusedWithWhatToDo) {
  EXPECT_FALSE(ReadNode("cores: 4\n", "x"));
  EXPECT_FALSE(ReadNode("cores: many\nmemory: 1GiB\n", "x"));
  EXPECT_FALSE(ReadNode("cores: 4\nmemory: much\n", "x"));
  const auto misspelt = ReadNode("coers: 4\nmemory: 1GiB\n", "x");
  ASSERT_FALSE(misspelt);
  EXPECT_NE(misspelt.error().message.find("cores"), std::string::npos);
}

using NodeOfRunsTest = TemporaryStoreTest;

TEST_F(NodeOfRunsTest, IsFoundByNameOrFingerprint) {
  edgewise::Run run;
  run.id = NewRunId();
  run.machine.hostname = "pi5";
  run.machine.fingerprint = "0123456789abcdef";
  run.machine.cores = 4;
  run.machine.memory_bytes = int64_t{8} << 30;
  run.gpu.emplace();
  GpuUse gpu;
  gpu.memory_bytes = int64_t{4} << 30;
  run.gpu->devices.push_back(gpu);
  ASSERT_TRUE(store_->Begin(run));
  for (const char* name : {"pi5", "01234567"}) {
    const auto node = NodeOfRuns(*store_, name);
    ASSERT_TRUE(node) << node.error().message;
    EXPECT_EQ(node->cores, 4);
    EXPECT_EQ(node->gpu_memory_bytes, 4.0 * (1 << 30));
  }
  const auto other = NodeOfRuns(*store_, "pi6");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("pi5"), std::string::npos);
}

}  // namespace
}  // namespace edgewise
