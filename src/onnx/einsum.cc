#include "onnx/einsum.h"

#include <cctype>
#include <map>

#include "base/text.h"

namespace edgewise::onnx {

std::optional<EinsumShape> ShapeOfEinsum(std::string_view equation,
                                         const std::vector<const Dims*>& in) {
  std::string letters;
  for (const char c : equation) {
    if (c != ' ') {
      letters.push_back(c);
    }
  }
  const size_t arrow = letters.find("->");
  if (arrow == std::string::npos) {
    return std::nullopt;
  }
  const std::string_view all = letters;
  const auto terms = Split(all.substr(0, arrow), ',');
  if (terms.size() != in.size()) {
    return std::nullopt;
  }
  std::map<char, int64_t> extents;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (in[i] == nullptr || terms[i].size() != in[i]->size()) {
      return std::nullopt;
    }
    for (size_t axis = 0; axis < terms[i].size(); ++axis) {
      const char label = terms[i][axis];
      const int64_t extent = (*in[i])[axis];
      const auto [known, added] = extents.try_emplace(label, extent);
      if (std::isalpha(static_cast<unsigned char>(label)) == 0 ||
          (!added && known->second != extent && extent != 1 &&
           known->second != 1)) {
        return std::nullopt;
      }
      known->second = known->second == 1 ? extent : known->second;
    }
  }
  EinsumShape shape;
  for (const char label : all.substr(arrow + 2)) {
    const auto known = extents.find(label);
    if (known == extents.end()) {
      return std::nullopt;
    }
    shape.out.push_back(known->second);
  }
  shape.products = 1;
  for (const auto& [label, extent] : extents) {
    shape.products *= static_cast<double>(extent);
  }
  return shape;
}

}  // namespace edgewise::onnx
