// One node while its outputs' shapes are worked out; private to shape
// inference. Each file *_shapes.cc has the rules of one kind of operators.
#ifndef EDGEWISE_ONNX_NODE_SHAPES_H_
#define EDGEWISE_ONNX_NODE_SHAPES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "onnx/value_facts.h"

namespace edgewise::onnx {

// No extent, stride or pad is larger: sums of a few products of two fit.
inline constexpr int64_t kMostExtent = int64_t{1} << 30;

inline constexpr size_t kMostRank = 64;
// Few enough dimensions, none of them negative or too large, nor all together.
bool IsPossible(const Dims& dims);

class NodeShapes {
 public:
  // `node` and the facts must outlive it. A left-out input is nullptr.
  NodeShapes(const Node& node, std::vector<const ValueFacts*> inputs,
             int64_t opset)
      : node_(node),
        inputs_(std::move(inputs)),
        opset_(opset),
        outputs_(node.outputs.size()) {}

  const Node& node() const { return node_; }
  int64_t opset() const { return opset_; }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }

  // nullptr: left out.
  const ValueFacts* In(size_t input) const {
    return input < inputs_.size() ? inputs_[input] : nullptr;
  }
  // nullptr: left out, or its shape is not known.
  const Dims* DimsOf(size_t input) const;
  const std::vector<double>* ValuesOf(size_t input) const;
  ElementType TypeOf(size_t input) const;

  // Integers that newer versions take as an input and older ones as an
  // attribute. False: they are an input whose values are not known. Empty if
  // there is neither.
  bool IntsFrom(size_t input, std::string_view attribute,
                std::vector<int64_t>& to) const;

  // Negative axes count from the end; nullopt if there is no such axis.
  static std::optional<size_t> Axis(int64_t axis, size_t rank);

  // Says what an output is. An impossible shape is no shape.
  void Set(size_t output, ElementType type, Dims dims);
  // The same shape as an input, if that is known.
  void SetLike(size_t output, size_t input, ElementType type);
  void SetType(size_t output, ElementType type);

  std::vector<ValueFacts>& outputs() { return outputs_; }

 private:
  const Node& node_;
  std::vector<const ValueFacts*> inputs_;
  int64_t opset_;
  std::vector<ValueFacts> outputs_;
};

struct ShapeRule {
  std::string_view op;
  void (*apply)(NodeShapes& shapes);
};

std::span<const ShapeRule> WindowRules();   // convolutions, pools, resizing
std::span<const ShapeRule> ProductRules();  // matrices, recurrent cells
std::span<const ShapeRule> ElementRules();  // each element by itself
std::span<const ShapeRule> LayoutRules();   // moves elements around
std::span<const ShapeRule> SelectRules();   // picks, counts, reduces

// The rule of an operator; nullptr if we know none.
const ShapeRule* FindShapeRule(const Node& node);

// "Conv"; "com.acme:Fancy" for operators of other domains.
std::string OperatorName(const Node& node);

// The shape that two broadcast to; nullopt if they do not fit.
std::optional<Dims> Broadcast(const Dims& a, const Dims& b);

// Saturates at the ends of 64 bits; slices end "at infinity".
int64_t WholeNumber(double value);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_NODE_SHAPES_H_
