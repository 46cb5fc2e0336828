// The byte format of Sketch; docs/statistics.md describes it.
#include <bit>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "stats/sketch.h"

namespace edgewise::stats {
namespace {

constexpr uint32_t kMagic = 0x4b535745;  // "EWSK"
constexpr uint8_t kVersion = 1;
// The key of no finite double is beyond this.
constexpr int32_t kMaxKey = 40'000;

class Writer {
 public:
  template <typename Unsigned>
  void Fixed(Unsigned value) {
    for (size_t i = 0; i < sizeof value; ++i) {
      bytes_.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
  }
  void Double(double value) { Fixed(std::bit_cast<uint64_t>(value)); }
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
      bytes_.push_back(static_cast<uint8_t>(value | 0x80));
    }
    bytes_.push_back(static_cast<uint8_t>(value));
  }
  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

// Reads until the first thing that does not fit; ok() stays false from there.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  template <typename Unsigned>
  Unsigned Fixed() {
    if (bytes_.size() < sizeof(Unsigned)) return Fail();
    Unsigned value = 0;
    for (size_t i = 0; i < sizeof value; ++i) {
      value = static_cast<Unsigned>(value | static_cast<Unsigned>(bytes_[i])
                                                << (8 * i));
    }
    bytes_ = bytes_.subspan(sizeof value);
    return value;
  }
  double Double() { return std::bit_cast<double>(Fixed<uint64_t>()); }
  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) return Fail();
      const uint8_t byte = bytes_[0];
      bytes_ = bytes_.subspan(1);
      if (shift == 63 && byte > 1) return Fail();
      if (byte == 0 && shift > 0) return Fail();  // not the shortest form
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return Fail();
  }
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && bytes_.empty(); }

 private:
  uint8_t Fail() {
    ok_ = false;
    bytes_ = {};
    return 0;
  }

  std::span<const uint8_t> bytes_;
  bool ok_ = true;
};

bool AddsWithoutOverflow(uint64_t* sum, uint64_t value) {
  if (value > std::numeric_limits<uint64_t>::max() - *sum) return false;
  *sum += value;
  return true;
}

Error Corrupt(const char* what) {
  return {ErrorCode::kCorrupt,
          std::string("The bytes are not a quantile sketch: ") + what +
              "; measure again or restore the file."};
}

}  // namespace

std::vector<uint8_t> Sketch::Serialise() const {
  Writer writer;
  writer.Fixed(kMagic);
  writer.Fixed(kVersion);
  writer.Double(min_);
  writer.Double(max_);
  writer.Varint(zeros_);
  writer.Varint(rejected_);
  for (const Store* store : {&positive_, &negative_}) {
    writer.Fixed(static_cast<uint32_t>(store->first_key));
    writer.Varint(store->counts.size());
    for (const uint64_t bucket : store->counts) writer.Varint(bucket);
  }
  return writer.Take();
}

Result<Sketch> Sketch::Deserialise(std::span<const uint8_t> bytes) {
  Reader reader(bytes);
  if (reader.Fixed<uint32_t>() != kMagic) return Corrupt("wrong magic");
  if (reader.Fixed<uint8_t>() != kVersion) return Corrupt("unknown version");
  Sketch sketch;
  sketch.min_ = reader.Double();
  sketch.max_ = reader.Double();
  sketch.zeros_ = reader.Varint();
  sketch.rejected_ = reader.Varint();
  sketch.count_ = sketch.zeros_;
  for (Store* store : {&sketch.positive_, &sketch.negative_}) {
    store->first_key = static_cast<int32_t>(reader.Fixed<uint32_t>());
    const uint64_t size = reader.Varint();
    if (!reader.ok()) return Corrupt("cut short");
    if (size > kSketchBuckets) return Corrupt("too many buckets");
    if (size == 0 && store->first_key != 0) return Corrupt("stray key");
    if (std::abs(static_cast<int64_t>(store->first_key)) > kMaxKey ||
        store->first_key + static_cast<int32_t>(size) > kMaxKey) {
      return Corrupt("a bucket beyond all numbers");
    }
    store->counts.resize(size);
    for (uint64_t& bucket : store->counts) {
      bucket = reader.Varint();
      if (!AddsWithoutOverflow(&sketch.count_, bucket)) {
        return Corrupt("counts overflow");
      }
    }
    if (!reader.ok()) return Corrupt("cut short");
    if (size > 0 && (store->counts.front() == 0 || store->counts.back() == 0)) {
      return Corrupt("an empty bucket at an end");
    }
  }
  if (!reader.at_end()) return Corrupt("bytes after the end");
  if (sketch.count_ > std::numeric_limits<int64_t>::max()) {
    return Corrupt("counts overflow");
  }
  if (!sketch.ExtremesFit()) return Corrupt("extremes contradict the buckets");
  return sketch;
}

}  // namespace edgewise::stats
