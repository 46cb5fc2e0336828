// Reading Protocol Buffers' wire format, as far as ONNX files need it.
#ifndef EDGEWISE_ONNX_WIRE_H_
#define EDGEWISE_ONNX_WIRE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace edgewise::onnx {

// The low three bits of a field's key.
enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,  // length-delimited: text, messages, packed numbers
  kFixed32 = 5,
};

struct WireField {
  int number = 0;
  WireType type = WireType::kVarint;
  // Of variable-length and fixed integers, little-endian; else 0.
  uint64_t integer = 0;
  // Of length-delimited fields, else empty. Points into what is read.
  std::string_view bytes;
};

// Takes the fields of one message one by one. Trusts nothing, copies nothing,
// and does not look into fields: large ones cost no more than small ones.
class WireReader {
 public:
  // `bytes` must outlive the reader and what it hands out.
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  // The next field; nullopt at the end, or where the bytes make no sense.
  std::optional<WireField> Next();
  // The next variable-length integer of a packed field; nullopt as above.
  std::optional<uint64_t> NextPacked();
  // Whether what was read so far made sense.
  bool ok() const { return ok_; }

 private:
  std::optional<uint64_t> Varint();
  std::optional<uint64_t> Fixed(size_t size);
  std::optional<std::string_view> Take(uint64_t size);

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_WIRE_H_
