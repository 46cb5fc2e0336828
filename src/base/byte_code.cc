#include "base/byte_code.h"

#include <array>
#include <bit>

namespace edgewise {
namespace {

// kCrc[k][b]: the checksum of byte b followed by k zero bytes, so that eight
// bytes are taken at a time ("slicing by eight").
constexpr auto kCrc = [] {
  std::array<std::array<uint32_t, 256>, 8> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
    }
    table[0][byte] = crc;
  }
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (size_t k = 1; k < 8; ++k) {
      const uint32_t before = table[k - 1][byte];
      table[k][byte] = (before >> 8) ^ table[0][before & 0xFF];
    }
  }
  return table;
}();

constexpr size_t kChecksumBytes = 4;

}  // namespace

uint32_t Checksum(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  uint32_t crc = 0xFFFFFFFFU;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint32_t next = 0;
    for (size_t k = 0; k < 8; ++k) {
      const uint32_t mixed = k < 4 ? (crc >> (8 * k)) & 0xFF : 0;
      next ^= kCrc[7 - k][mixed ^ at(i + k)];
    }
    crc = next;
  }
  for (; i < bytes.size(); ++i) {
    crc = (crc >> 8) ^ kCrc[0][(crc ^ at(i)) & 0xFF];
  }
  return ~crc;
}

void ByteWriter::Varint(uint64_t value) {
  char encoded[kMaxVarintBytes];
  size_t length = 0;
  while (value >= 0x80) {
    encoded[length++] = static_cast<char>((value & 0x7F) | 0x80);
    value >>= 7;
  }
  encoded[length++] = static_cast<char>(value);
  bytes_.append(encoded, length);
}

void ByteWriter::Double(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  for (int shift = 0; shift < 64; shift += 8) {
    Byte(static_cast<uint8_t>(bits >> shift));
  }
}

std::string ByteWriter::Sealed() {
  const uint32_t crc = Checksum(bytes_);
  for (int shift = 0; shift < 32; shift += 8) {
    Byte(static_cast<uint8_t>(crc >> shift));
  }
  return std::move(bytes_);
}

std::optional<ByteReader> ByteReader::Open(std::string_view sealed) {
  if (sealed.size() < kChecksumBytes) {
    return std::nullopt;
  }
  const std::string_view content =
      sealed.substr(0, sealed.size() - kChecksumBytes);
  uint32_t crc = 0;
  for (size_t i = 0; i < kChecksumBytes; ++i) {
    crc |=
        static_cast<uint32_t>(static_cast<uint8_t>(sealed[content.size() + i]))
        << (8 * i);
  }
  if (crc != Checksum(content)) {
    return std::nullopt;
  }
  return ByteReader(content);
}

std::optional<uint8_t> ByteReader::Byte() {
  if (rest_.empty()) {
    return std::nullopt;
  }
  const auto byte = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return byte;
}

std::optional<uint64_t> ByteReader::Varint() {
  uint64_t value = 0;
  const size_t limit = std::min(rest_.size(), ByteWriter::kMaxVarintBytes);
  for (size_t i = 0; i < limit; ++i) {
    const auto byte = static_cast<uint8_t>(rest_[i]);
    if (i == 9 && byte > 1) {
      break;  // more than 64 bits
    }
    value |= static_cast<uint64_t>(byte & 0x7F) << (7 * i);
    if ((byte & 0x80) == 0) {
      rest_.remove_prefix(i + 1);
      return value;
    }
  }
  rest_ = {};
  return std::nullopt;
}

std::optional<int64_t> ByteReader::Signed() {
  const auto code = Varint();
  if (!code) {
    return std::nullopt;
  }
  return UnZigZag(*code);
}

std::optional<double> ByteReader::Double() {
  const auto bytes = Bytes(8);
  if (!bytes) {
    return std::nullopt;
  }
  uint64_t bits = 0;
  for (size_t i = 0; i < 8; ++i) {
    bits |= static_cast<uint64_t>(static_cast<uint8_t>((*bytes)[i])) << (8 * i);
  }
  return std::bit_cast<double>(bits);
}

std::optional<std::string_view> ByteReader::Bytes(size_t count) {
  if (rest_.size() < count) {
    rest_ = {};
    return std::nullopt;
  }
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

}  // namespace edgewise
