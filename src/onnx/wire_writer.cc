#include "onnx/wire_writer.h"

#include <bit>

#include "onnx/wire.h"

namespace edgewise::onnx {
namespace {

uint64_t Key(int field, WireType type) {
  return static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(type);
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
  Varint(Key(field, WireType::kVarint));
  Varint(static_cast<uint64_t>(value));
}

void WireWriter::Float(int field, float value) {
  Varint(Key(field, WireType::kFixed32));
  const auto bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) {
    bytes_.push_back(static_cast<char>(bits >> shift));
  }
}

void WireWriter::Bytes(int field, std::string_view bytes) {
  Varint(Key(field, WireType::kBytes));
  Varint(bytes.size());
  bytes_.append(bytes);
}

}  // namespace edgewise::onnx
