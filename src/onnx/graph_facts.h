// What is known of a model's graph before it is run: the shapes of all values.
#ifndef EDGEWISE_ONNX_GRAPH_FACTS_H_
#define EDGEWISE_ONNX_GRAPH_FACTS_H_

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "onnx/model.h"
#include "onnx/value_facts.h"

namespace edgewise::onnx {

// Shapes of inputs by name, for dimensions that the file leaves open.
using InputShapes = std::map<std::string, Dims, std::less<>>;

// "name=1x3x224x224"; the error says what is wrong with it.
Result<std::pair<std::string, Dims>> ParseInputShape(std::string_view text);

// Names point into the model's file.
struct GraphFacts {
  ValueTable values;
  // By operator: how many nodes there are whose outputs we know nothing of.
  std::map<std::string, int64_t> unknown_operators;
  // If, Loop and their like, whose bodies are not followed.
  std::map<std::string, int64_t> not_followed;
};

// Works out the shapes of all values in the order of the nodes, with those of
// constants and of what is computed from shapes. Refused: an input that leaves
// dimensions open and is not in `shapes` (the error says what to give), and
// shapes that do not fit the file. What depends on data stays unknown, unless
// the file itself states it.
Result<GraphFacts> InferShapes(const Model& model, const InputShapes& shapes);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_GRAPH_FACTS_H_
