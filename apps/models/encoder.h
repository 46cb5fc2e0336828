// One layer of a transformer's encoder (Vaswani et al. 2017), normalised first.
// Constants stand on the right of products and have rank 1 in sums, as OpenCV
// 4.6 wants them.
#ifndef EDGEWISE_APPS_MODELS_ENCODER_H_
#define EDGEWISE_APPS_MODELS_ENCODER_H_

#include <cstdint>
#include <vector>

#include "models/onnx_graph.h"

namespace edgewise::apps {

struct EncoderShape {
  int64_t tokens = 0;
  int64_t size = 0;  // of a token; a multiple of heads
  int64_t heads = 1;
};

// Values are 1 x tokens x size.
class Encoder {
 public:
  using Value = OnnxGraph::Value;

  Encoder(OnnxGraph& graph, const EncoderShape& shape)
      : graph_(graph), shape_(shape) {}

  Value Layer(const Value& in);
  // To mean 0 and variance 1 along the last axis. The scale and shift of a
  // trained one are folded into the layer that follows.
  Value Normalized(const Value& in);
  Value Linear(const Value& in, int64_t in_size, int64_t out_size, double gain);

 private:
  Value Mean(const Value& in);
  // 1 x heads x ..., with the axes of tokens and sizes in this order.
  Value Heads(const Value& in, const std::vector<int64_t>& order);
  Value Attention(const Value& in);

  OnnxGraph& graph_;
  EncoderShape shape_;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_MODELS_ENCODER_H_
