// A checksum over everything that an app computed, in the order of its items:
// a run that was fast because it computed nothing has another one.
//
// CRC-32 as in zlib, so that the Python twins can compute the same. Of floating
// point numbers the bits count: runs of one build on one kind of processor
// agree, other processors may round otherwise.
#ifndef EDGEWISE_APPS_LOAD_CHECKSUM_H_
#define EDGEWISE_APPS_LOAD_CHECKSUM_H_

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

namespace edgewise::apps {

class Checksum {
 public:
  void AddBytes(const void* data, size_t bytes) {
    crc_ = crc32_z(crc_, static_cast<const Bytef*>(data), bytes);
  }
  // A number, by its bytes.
  template <typename Number>
  void Add(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    AddBytes(&value, sizeof(value));
  }

  uint32_t value() const { return static_cast<uint32_t>(crc_); }

 private:
  uLong crc_ = 0;
};

// "0badcafe".
inline std::string FormatChecksum(uint32_t checksum) {
  char text[9];
  std::snprintf(text, sizeof(text), "%08x", checksum);
  return text;
}

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_CHECKSUM_H_
