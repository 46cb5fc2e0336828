// Seeded numbers for weights and inputs.
#ifndef EDGEWISE_APPS_TENANT_SEEDED_H_
#define EDGEWISE_APPS_TENANT_SEEDED_H_

#include <cmath>
#include <cstddef>
#include <vector>

#include "stats/random.h"

namespace edgewise::apps {

// Uniform with mean 0, so that products with `fan_in` of them keep the scale of
// what goes in.
inline std::vector<float> SeededWeights(stats::Random& random, size_t count,
                                        size_t fan_in) {
  const double bound = std::sqrt(3 / static_cast<double>(fan_in));
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>((2 * random.Uniform() - 1) * bound);
  }
  return values;
}

// out += in * weights, of which row i (of `out` values) belongs to in[i].
inline void AddProduct(const float* in, size_t in_size, const float* weights,
                       float* out, size_t out_size) {
  for (size_t i = 0; i < in_size; ++i) {
    const float scale = in[i];
    const float* row = weights + i * out_size;
    for (size_t j = 0; j < out_size; ++j) {
      out[j] += scale * row[j];
    }
  }
}

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_SEEDED_H_
