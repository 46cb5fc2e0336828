// ByteWriter and ByteReader: variable-length integers, and a checksum, for
// binary formats on disk.
#ifndef EDGEWISE_BASE_BYTE_CODE_H_
#define EDGEWISE_BASE_BYTE_CODE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace edgewise {

// Small magnitudes of either sign become small numbers: 0, -1, 1, -2, ...
constexpr uint64_t ZigZag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^
         static_cast<uint64_t>(value >> 63);
}
constexpr int64_t UnZigZag(uint64_t code) {
  return static_cast<int64_t>((code >> 1) ^ (~(code & 1) + 1));
}
// Differences wrap around, so that any two values have one.
constexpr int64_t WrappingDifference(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) -
                              static_cast<uint64_t>(b));
}
constexpr int64_t WrappingSum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}

// CRC-32 (IEEE 802.3, reflected).
uint32_t Checksum(std::string_view bytes);

class ByteWriter {
 public:
  static constexpr size_t kMaxVarintBytes = 10;

  void Byte(uint8_t byte) { bytes_.push_back(static_cast<char>(byte)); }
  // Seven bits a byte, lowest first; the top bit says that more follow.
  void Varint(uint64_t value);
  void Signed(int64_t value) { Varint(ZigZag(value)); }
  // The 8 bytes of IEEE 754 binary64, little-endian.
  void Double(double value);
  void Bytes(std::string_view bytes) { bytes_.append(bytes); }
  void Reserve(size_t bytes) { bytes_.reserve(bytes); }

  // What was written so far; valid until the next write.
  std::string_view bytes() const { return bytes_; }

  // Appends the checksum (4 bytes, little-endian) and hands the bytes over.
  std::string Sealed();

 private:
  std::string bytes_;
};

// Reads what a ByteWriter wrote. After the first thing that is not there,
// everything reads as nullopt.
class ByteReader {
 public:
  // nullopt if the checksum does not fit.
  static std::optional<ByteReader> Open(std::string_view sealed);
  // Bytes without a checksum; they must outlive the reader.
  static ByteReader Unsealed(std::string_view bytes) {
    return ByteReader(bytes);
  }

  std::optional<uint8_t> Byte();
  std::optional<uint64_t> Varint();
  std::optional<int64_t> Signed();
  std::optional<double> Double();
  std::optional<std::string_view> Bytes(size_t count);
  size_t remaining() const { return rest_.size(); }

 private:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  std::string_view rest_;
};

}  // namespace edgewise

#endif  // EDGEWISE_BASE_BYTE_CODE_H_
