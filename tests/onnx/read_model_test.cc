#include "onnx/read_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "onnx_file.h"

namespace edgewise::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string OneConvolution() {
  return OnnxFile(11)
      .Input("x", {int64_t{1}, int64_t{3}, int64_t{8}, int64_t{8}})
      .Weight("w", {4, 3, 3, 3})
      .Node("Conv", {"x", "w"}, {"y"},
            {{"strides", std::vector<int64_t>{2, 2}}, {"group", int64_t{1}}})
      .Output("y")
      .Bytes();
}

TEST(ReadModelTest, AFileIsReadAsItStands) {
  const std::string bytes = OneConvolution();
  const auto model = ReadModel(bytes, "m.onnx");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->opset, 11);
  ASSERT_EQ(model->nodes.size(), 1U);
  EXPECT_EQ(model->nodes[0].op, "Conv");
  EXPECT_THAT(model->nodes[0].Ints("strides"), ElementsAre(2, 2));
  EXPECT_EQ(model->nodes[0].Int("group", 7), 1);
  EXPECT_EQ(model->nodes[0].Int("missing", 7), 7);
  ASSERT_EQ(model->initializers.size(), 1U);
  EXPECT_EQ(model->initializers[0].elements, 108);
  EXPECT_EQ(model->initializers[0].bytes(), 432);
  EXPECT_EQ(model->inputs[0].FixedDims(), (Dims{1, 3, 8, 8}));
}

TEST(ReadModelTest, InputsThatAreConstantsAreNone) {
  const std::string bytes = OnnxFile()
                                .Input("x", {int64_t{4}})
                                .Input("w", {int64_t{4}})
                                .Weight("w", {4})
                                .Node("Add", {"x", "w"}, {"y"})
                                .Bytes();
  const auto model = ReadModel(bytes, "m.onnx");
  ASSERT_TRUE(model);
  ASSERT_EQ(model->inputs.size(), 1U);
  EXPECT_EQ(model->inputs[0].name, "x");
}

TEST(ReadModelTest, EveryCutIsAnErrorThatNamesTheFile) {
  const std::string bytes = OneConvolution();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto model =
        ReadModel(std::string_view(bytes).substr(0, size), "cut.onnx");
    ASSERT_FALSE(model) << size;
    EXPECT_THAT(model.error().message, HasSubstr("cut.onnx"));
    EXPECT_THAT(model.error().message, HasSubstr("not an ONNX file"));
  }
}

TEST(ReadModelTest, WeightsOutsideTheFolderAreRefused) {
  for (const char* where : {"/etc/passwd", "../weights", "a/../../b", ""}) {
    const std::string bytes =
        OnnxFile().External("w", {4}, where).Node("Relu", {"w"}, {"y"}).Bytes();
    const auto model = ReadModel(bytes, "m.onnx");
    ASSERT_FALSE(model) << where;
    EXPECT_THAT(model.error().message, HasSubstr("outside its own folder"));
  }
}

TEST(ReadModelTest, WeightsInAnotherFileAreLookedForBesideTheModel) {
  const std::string bytes = OnnxFile()
                                .External("w", {4}, "data/w.bin")
                                .Node("Relu", {"w"}, {"y"})
                                .Bytes();
  const auto model = ReadModel(bytes, "m.onnx");
  ASSERT_TRUE(model) << model.error().message;
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "onnx_external";
  std::filesystem::remove_all(folder);
  EXPECT_THAT(MissingWeights(*model, folder),
              ElementsAre(HasSubstr("not beside it")));
  std::filesystem::create_directories(folder / "data");
  std::ofstream(folder / "data/w.bin") << "short";
  EXPECT_THAT(MissingWeights(*model, folder),
              ElementsAre(HasSubstr("too short")));
  std::ofstream(folder / "data/w.bin") << "four floats, 16.";
  EXPECT_TRUE(MissingWeights(*model, folder).empty());
  std::filesystem::remove_all(folder);
}

TEST(ReadModelTest, DimensionsThatNoMemoryHoldsAreRefused) {
  for (const Dims& dims :
       {Dims{-1}, Dims{int64_t{1} << 40, int64_t{1} << 40}}) {
    const std::string bytes = OnnxFile()
                                  .Raw("w", dims, ElementType::kFloat, "")
                                  .Node("Relu", {"w"}, {"y"})
                                  .Bytes();
    EXPECT_FALSE(ReadModel(bytes, "m.onnx"));
  }
}

TEST(ReadModelTest, SmallTensorsHaveValuesAndLargeOnesNone) {
  const std::string bytes = OnnxFile()
                                .Ints("i", {1, -2, INT64_MAX})
                                .Floats("f", {0.5F})
                                .Weight("w", {100, 100})
                                .Node("Relu", {"w"}, {"y"})
                                .Bytes();
  const auto model = ReadModel(bytes, "m.onnx");
  ASSERT_TRUE(model);
  EXPECT_THAT(*ValuesOf(model->initializers[0]),
              ElementsAre(1, -2, 9223372036854775807.0));
  EXPECT_THAT(*ValuesOf(model->initializers[1]), ElementsAre(0.5));
  EXPECT_EQ(ValuesOf(model->initializers[2]), std::nullopt);
}

TEST(ReadModelTest, AFileThatIsNotThereIsNamed) {
  const auto file = ReadModelFile("/nowhere/m.onnx");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(file.error().message, HasSubstr("/nowhere/m.onnx"));
}

}  // namespace
}  // namespace edgewise::onnx
