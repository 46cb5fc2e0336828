#include "models/wire.h"

#include <cstring>

namespace edgewise::apps {
namespace {

// The low three bits of a field's key.
enum WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kLengthDelimited = 2,
  kFixed32 = 5,
};

constexpr uint64_t kMostFieldNumber = (uint64_t{1} << 29) - 1;

uint64_t Key(int field, WireType type) {
  return static_cast<uint64_t>(field) << 3 | type;
}

}  // namespace

void WireWriter::Varint(uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void WireWriter::Int(int field, int64_t value) {
  Varint(Key(field, kVarint));
  Varint(static_cast<uint64_t>(value));
}

void WireWriter::Float(int field, float value) {
  Varint(Key(field, kFixed32));
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  for (int shift = 0; shift < 32; shift += 8) {
    bytes_.push_back(static_cast<char>(bits >> shift));
  }
}

void WireWriter::Bytes(int field, std::string_view bytes) {
  Varint(Key(field, kLengthDelimited));
  Varint(bytes.size());
  bytes_.append(bytes);
}

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

std::optional<std::string_view> WireReader::Take(uint64_t bytes) {
  if (bytes > rest_.size()) {
    return std::nullopt;
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
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
  switch (*key & 7) {
    case kVarint:
      if (const auto value = Varint()) {
        field.integer = *value;
        ok_ = true;
      }
      break;
    case kFixed64:
      ok_ = Take(8).has_value();
      break;
    case kFixed32:
      ok_ = Take(4).has_value();
      break;
    case kLengthDelimited:
      if (const auto size = Varint()) {
        if (const auto bytes = Take(*size)) {
          field.bytes = *bytes;
          ok_ = true;
        }
      }
      break;
    default:
      break;
  }
  return ok_ ? std::optional(field) : std::nullopt;
}

}  // namespace edgewise::apps
