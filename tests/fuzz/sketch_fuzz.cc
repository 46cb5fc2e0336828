// Quantile sketches: any bytes are a sketch that serialises to the same bytes,
// or an error; and what is read answers as a sketch must.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "stats/sketch.h"

namespace {

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using edgewise::stats::Sketch;
  const auto sketch = Sketch::Deserialise({data, size});
  if (!sketch) {
    Require(!sketch.error().message.empty());
    return 0;
  }
  Require(sketch->Serialise() == std::vector<uint8_t>(data, data + size));
  double before = sketch->min().value_or(0);
  for (const double p : {0.001, 0.5, 0.9, 0.99, 0.999}) {
    const auto quantile = sketch->Quantile(p);
    Require(quantile.has_value() == (sketch->count() > 0));
    if (quantile) {
      Require(before <= *quantile && *quantile <= *sketch->max());
      before = *quantile;
    }
  }
  uint64_t counted = 0;
  for (const Sketch::Bucket& bucket : sketch->Buckets()) {
    Require(bucket.low <= bucket.high && bucket.count > 0);
    counted += bucket.count;
  }
  Require(counted == sketch->count());
  return 0;
}
