#include "onnx/wire.h"

namespace edgewise::onnx {
namespace {

constexpr uint64_t kMostFieldNumber = (uint64_t{1} << 29) - 1;

}  // namespace

std::optional<uint64_t> WireReader::Varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) {
      return std::nullopt;
    }
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> WireReader::Take(uint64_t size) {
  if (size > rest_.size()) {
    return std::nullopt;
  }
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::optional<uint64_t> WireReader::Fixed(size_t size) {
  const auto bytes = Take(size);
  if (!bytes) {
    return std::nullopt;
  }
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<uint8_t>((*bytes)[i]);
  }
  return value;
}

std::optional<uint64_t> WireReader::NextPacked() {
  if (!ok_ || rest_.empty()) {
    return std::nullopt;
  }
  const auto value = Varint();
  ok_ = value.has_value();
  return value;
}

std::optional<WireField> WireReader::Next() {
  if (!ok_ || rest_.empty()) {
    return std::nullopt;
  }
  ok_ = false;  // unless the field turns out to be whole
  const auto key = Varint();
  if (!key || *key >> 3 == 0 || *key >> 3 > kMostFieldNumber) {
    return std::nullopt;
  }
  WireField field;
  field.number = static_cast<int>(*key >> 3);
  field.type = static_cast<WireType>(*key & 7);
  std::optional<uint64_t> integer;
  switch (field.type) {
    case WireType::kVarint:
      integer = Varint();
      break;
    case WireType::kFixed64:
      integer = Fixed(8);
      break;
    case WireType::kFixed32:
      integer = Fixed(4);
      break;
    case WireType::kBytes: {
      const auto size = Varint();
      const auto bytes = size ? Take(*size) : std::nullopt;
      if (!bytes) {
        return std::nullopt;
      }
      field.bytes = *bytes;
      integer = 0;
      break;
    }
    default:
      break;
  }
  if (!integer) {
    return std::nullopt;
  }
  field.integer = *integer;
  ok_ = true;
  return field;
}

}  // namespace edgewise::onnx
