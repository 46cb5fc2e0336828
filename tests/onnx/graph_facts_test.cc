#include "onnx/graph_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/read_model.h"
#include "onnx_file.h"

namespace edgewise::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using Ints = std::vector<int64_t>;

constexpr int64_t kOne = 1;

class GraphFactsTest : public ::testing::Test {
 protected:
  // The shape of "y".
  std::optional<Dims> ShapeOfY(const OnnxFile& file) {
    return Infer(file) ? facts_->values["y"].dims : std::nullopt;
  }
  bool Infer(const OnnxFile& file, const InputShapes& shapes = {}) {
    bytes_ = file.Bytes();
    auto model = ReadModel(bytes_, "m.onnx");
    EXPECT_TRUE(model);
    model_ = std::move(*model);
    facts_ = InferShapes(model_, shapes);
    return facts_.ok();
  }
  static OnnxFile With(const Ints& dims, int64_t opset = 13) {
    OnnxFile file(opset);
    file.Input("x", {dims.begin(), dims.end()});
    return file;
  }

  std::string bytes_;
  Model model_;
  Result<GraphFacts> facts_{GraphFacts{}};
};

TEST_F(GraphFactsTest, ConvolutionsCountTheirWindows) {
  const auto conv = [&](const OnnxFile::Attributes& attributes) {
    return ShapeOfY(With({1, 3, 224, 224})
                        .Weight("w", {8, 3, 3, 3})
                        .Node("Conv", {"x", "w"}, {"y"}, attributes));
  };
  EXPECT_EQ(conv({}), (Dims{1, 8, 222, 222}));
  EXPECT_EQ(conv({{"strides", Ints{2, 2}}, {"pads", Ints{1, 1, 1, 1}}}),
            (Dims{1, 8, 112, 112}));
  EXPECT_EQ(
      conv({{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{3, 3}}}),
      (Dims{1, 8, 75, 75}));
  EXPECT_EQ(conv({{"dilations", Ints{2, 4}}}), (Dims{1, 8, 220, 216}));
  // What makes no sense is not known.
  EXPECT_EQ(conv({{"strides", Ints{0, 1}}}), std::nullopt);
  EXPECT_EQ(conv({{"strides", Ints{1}}}), std::nullopt);
  EXPECT_EQ(conv({{"dilations", Ints{INT64_MAX, 1}}}), std::nullopt);
}

TEST_F(GraphFactsTest, TransposedConvolutionsGrow) {
  EXPECT_EQ(ShapeOfY(With({1, 6, 10, 10})
                         .Weight("w", {6, 2, 4, 4})
                         .Node("ConvTranspose", {"x", "w"}, {"y"},
                               {{"strides", Ints{2, 2}},
                                {"group", int64_t{3}},
                                {"pads", Ints{1, 1, 1, 1}},
                                {"output_padding", Ints{1, 0}}})),
            (Dims{1, 6, 21, 20}));
}

TEST_F(GraphFactsTest, PoolsMayCountTheWindowThatHangsOver) {
  const auto pool = [&](int64_t ceil_mode) {
    return ShapeOfY(With({1, 4, 112, 112})
                        .Node("MaxPool", {"x"}, {"y"},
                              {{"kernel_shape", Ints{3, 3}},
                               {"strides", Ints{2, 2}},
                               {"ceil_mode", ceil_mode}}));
  };
  EXPECT_EQ(pool(0), (Dims{1, 4, 55, 55}));
  EXPECT_EQ(pool(1), (Dims{1, 4, 56, 56}));
  EXPECT_EQ(
      ShapeOfY(With({2, 4, 7, 9}).Node("GlobalAveragePool", {"x"}, {"y"})),
      (Dims{2, 4, 1, 1}));
}

TEST_F(GraphFactsTest, ProductsBroadcastTheirBatches) {
  const auto product = [&](const Ints& a, const Ints& b) {
    return ShapeOfY(With(a).Weight("w", b).Node("MatMul", {"x", "w"}, {"y"}));
  };
  EXPECT_EQ(product({2, 1, 5, 7}, {3, 7, 4}), (Dims{2, 3, 5, 4}));
  EXPECT_EQ(product({7}, {7, 4}), (Dims{4}));
  EXPECT_EQ(product({5, 7}, {7}), (Dims{5}));
  EXPECT_EQ(product({5, 7}, {6, 4}), std::nullopt);
  EXPECT_EQ(ShapeOfY(With({5, 7})
                         .Weight("w", {4, 7})
                         .Node("Gemm", {"x", "w"}, {"y"}, {{"transB", kOne}})),
            (Dims{5, 4}));
}

TEST_F(GraphFactsTest, ElementsBroadcast) {
  EXPECT_EQ(
      ShapeOfY(
          With({2, 1, 4}).Weight("w", {3, 1}).Node("Add", {"x", "w"}, {"y"})),
      (Dims{2, 3, 4}));
  EXPECT_EQ(
      ShapeOfY(With({2, 3}).Weight("w", {4}).Node("Add", {"x", "w"}, {"y"})),
      std::nullopt);
}

TEST_F(GraphFactsTest, RecurrentCellsGiveEveryStep) {
  EXPECT_EQ(ShapeOfY(With({28, 1, 16})
                         .Weight("w", {2, 256, 16})
                         .Weight("r", {2, 256, 64})
                         .Node("LSTM", {"x", "w", "r"}, {"y"})),
            (Dims{28, 2, 1, 64}));
}

TEST_F(GraphFactsTest, LayoutsFollowTheirAttributesAndInputs) {
  EXPECT_EQ(ShapeOfY(With({2, 3, 4}).Node("Transpose", {"x"}, {"y"},
                                          {{"perm", Ints{2, 0, 1}}})),
            (Dims{4, 2, 3}));
  EXPECT_EQ(ShapeOfY(With({2, 3, 4})
                         .Ints("s", {0, -1})
                         .Node("Reshape", {"x", "s"}, {"y"})),
            (Dims{2, 12}));
  EXPECT_EQ(ShapeOfY(With({2, 3, 4})
                         .Ints("s", {5, -1})
                         .Node("Reshape", {"x", "s"}, {"y"})),
            std::nullopt);
  EXPECT_EQ(ShapeOfY(With({2, 3, 4}).Node("Flatten", {"x"}, {"y"},
                                          {{"axis", int64_t{2}}})),
            (Dims{6, 4}));
  EXPECT_EQ(ShapeOfY(With({1, 3, 1}).Node("Squeeze", {"x"}, {"y"})), (Dims{3}));
  EXPECT_EQ(
      ShapeOfY(
          With({3, 4}).Ints("a", {0, -1}).Node("Unsqueeze", {"x", "a"}, {"y"})),
      (Dims{1, 3, 4, 1}));
  EXPECT_EQ(ShapeOfY(With({2, 8})
                         .Weight("w", {2, 5})
                         .Node("Concat", {"x", "w", "x"}, {"y"},
                               {{"axis", int64_t{-1}}})),
            (Dims{2, 21}));
  EXPECT_EQ(
      ShapeOfY(With({2, 10}).Node("Split", {"x"}, {"a", "y", "c"},
                                  {{"axis", kOne}, {"split", Ints{2, 5, 3}}})),
      (Dims{2, 5}));
}

TEST_F(GraphFactsTest, SlicesClampTheirEnds) {
  const auto slice = [&](int64_t start, int64_t end, int64_t step) {
    return ShapeOfY(With({2, 10})
                        .Ints("s", {start})
                        .Ints("e", {end})
                        .Ints("a", {1})
                        .Ints("t", {step})
                        .Node("Slice", {"x", "s", "e", "a", "t"}, {"y"}));
  };
  EXPECT_EQ(slice(1, INT64_MAX, 2), (Dims{2, 5}));
  EXPECT_EQ(slice(-3, -1, 1), (Dims{2, 2}));
  EXPECT_EQ(slice(-1, INT64_MIN, -1), (Dims{2, 10}));
  EXPECT_EQ(slice(5, 3, 1), (Dims{2, 0}));
  EXPECT_EQ(slice(0, 3, 0), std::nullopt);
}

TEST_F(GraphFactsTest, GatheringReplacesAnAxisAndReducingRemovesIt) {
  EXPECT_EQ(ShapeOfY(With({5, 6})
                         .Ints("i", {0, 2, 4})
                         .Node("Gather", {"x", "i"}, {"y"}, {{"axis", kOne}})),
            (Dims{5, 3}));
  EXPECT_EQ(ShapeOfY(With({5, 6, 7}).Node(
                "ReduceMean", {"x"}, {"y"},
                {{"axes", Ints{-1, 0}}, {"keepdims", int64_t{0}}})),
            (Dims{6}));
}

TEST_F(GraphFactsTest, WhatIsComputedFromShapesIsWorkedOut) {
  // Twice the height and width, as exporters write it.
  EXPECT_EQ(ShapeOfY(With({1, 8, 20, 30})
                         .Ints("two", {2})
                         .Ints("from", {2})
                         .Ints("to", {4})
                         .Ints("zero", {0})
                         .Node("Shape", {"x"}, {"shape"})
                         .Node("Slice", {"shape", "from", "to"}, {"size"})
                         .Node("Mul", {"size", "two"}, {"twice"})
                         .Node("Slice", {"shape", "zero", "from"}, {"lead"})
                         .Node("Concat", {"lead", "twice"}, {"all"},
                               {{"axis", int64_t{0}}})
                         .Node("Cast", {"all"}, {"sizes"}, {{"to", int64_t{7}}})
                         .Node("Resize", {"x", "", "", "sizes"}, {"y"})),
            (Dims{1, 8, 40, 60}));
  EXPECT_TRUE(facts_->values["sizes"].constant);
  EXPECT_FALSE(facts_->values["y"].constant);
}

TEST_F(GraphFactsTest, ResizingTakesScalesWhereTheOpsetHasThem) {
  for (const int64_t opset : {10, 11}) {
    const std::vector<std::string> inputs =
        opset == 10 ? std::vector<std::string>{"x", "s"}
                    : std::vector<std::string>{"x", "", "s"};
    EXPECT_EQ(ShapeOfY(With({1, 2, 10, 10}, opset)
                           .Floats("s", {1, 1, 2, 2.5F})
                           .Node("Resize", inputs, {"y"})),
              (Dims{1, 2, 20, 25}));
  }
}

TEST_F(GraphFactsTest, QuantisedOperatorsChangeTheKindOfNumber) {
  ASSERT_TRUE(Infer(
      With({1, 3, 8, 8})
          .Floats("s", {0.1F})
          .Weight("z", {1}, ElementType::kInt8)
          .Weight("w", {4, 3, 1, 1}, ElementType::kInt8)
          .Node("QuantizeLinear", {"x", "s", "z"}, {"q"})
          .Node("QLinearConv", {"q", "s", "z", "w", "s", "z", "s", "z"}, {"c"})
          .Node("DequantizeLinear", {"c", "s", "z"}, {"y"})));
  EXPECT_EQ(facts_->values["q"].type, ElementType::kInt8);
  EXPECT_EQ(facts_->values["c"].dims, (Dims{1, 4, 8, 8}));
  EXPECT_EQ(facts_->values["y"].type, ElementType::kFloat);
}

TEST_F(GraphFactsTest, OpenDimensionsAskForAShape) {
  OnnxFile file;
  file.Input("images", {std::string("batch"), int64_t{3}, std::string("h"),
                        std::string("")})
      .Node("Relu", {"images"}, {"y"});
  ASSERT_FALSE(Infer(file));
  EXPECT_THAT(facts_.error().message, HasSubstr("batch x 3 x h x ?"));
  EXPECT_THAT(facts_.error().message,
              HasSubstr("--input-shape images=1x3x224x224"));
  ASSERT_TRUE(Infer(file, {{"images", {1, 3, 64, 32}}}));
  EXPECT_EQ(facts_->values["y"].dims, (Dims{1, 3, 64, 32}));
  ASSERT_FALSE(Infer(file, {{"images", {1, 4, 64, 32}}}));
  EXPECT_THAT(facts_.error().message, HasSubstr("fixed to 3"));
  ASSERT_FALSE(Infer(file, {{"images", {1, 3, 64}}}));
  EXPECT_THAT(facts_.error().message, HasSubstr("4 dimensions"));
  ASSERT_FALSE(
      Infer(file, {{"image", {1, 3, 64, 64}}, {"images", {1, 3, 9, 9}}}));
  EXPECT_THAT(facts_.error().message, HasSubstr("did you mean images"));
}

TEST_F(GraphFactsTest, UnknownOperatorsAreCountedAndNamed) {
  ASSERT_TRUE(Infer(
      With({1, 4})
          .Node("Relu", {"x"}, {"a"}, {}, "com.acme")
          .Node("Frobnicate", {"x"}, {"b"})
          .Node("Frobnicate", {"b"}, {"c"})
          .Node("If", {"c"}, {"d"}, {{"then_branch", std::string("graph")}})));
  EXPECT_THAT(facts_->unknown_operators,
              ElementsAre(Pair("Frobnicate", 2), Pair("com.acme:Relu", 1)));
  EXPECT_THAT(facts_->not_followed, ElementsAre(Pair("If", 1)));
  EXPECT_EQ(facts_->values["a"].dims, std::nullopt);
}

TEST(InputShapeTest, ShapesAreReadAsPeopleWriteThem) {
  const auto shape = ParseInputShape("a=b=1x3x224x224");
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->first, "a=b");
  EXPECT_EQ(shape->second, (Dims{1, 3, 224, 224}));
  for (const char* bad : {"", "x", "=1x2", "x=", "x=1x", "x=0x2", "x=1x-2",
                          "x=1,2", "x=99999999999"}) {
    EXPECT_FALSE(ParseInputShape(bad)) << bad;
  }
}

}  // namespace
}  // namespace edgewise::onnx
