// A neural network as far as its speed depends on it: its layers.
#ifndef EDGEWISE_PREDICTION_NETWORK_H_
#define EDGEWISE_PREDICTION_NETWORK_H_

#include <cstdint>
#include <string>
#include <vector>

namespace edgewise {

struct Layer {
  std::string type;  // "Convolution", "InnerProduct", "Pooling", …
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t groups = 1;
  // Outermost first (channels, height, width); empty where there is none.
  std::vector<int64_t> in_shape;
  std::vector<int64_t> out_shape;
  double macs = 0;
  double parameters = 0;
  bool int8 = false;
};

struct Network {
  std::string name;
  std::vector<Layer> layers;
};

// The group that a network is held out with: int8 and fp32 of one network are
// one ("resnet18_int8" is of the family "resnet18").
std::string FamilyOf(const std::string& network);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_NETWORK_H_
