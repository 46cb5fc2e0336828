// Sha256: the digest of FIPS 180-4, of bytes as they come.
#ifndef EDGEWISE_BASE_SHA256_H_
#define EDGEWISE_BASE_SHA256_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace edgewise {

// Uses the processor's own instructions where it has them. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  void Update(std::string_view bytes);
  // As if as many bytes of zero had come: the holes of files.
  void UpdateZeros(int64_t count);
  // 64 digits in lower case. To be asked once, when everything has come.
  std::string HexDigest();

 private:
  std::array<uint32_t, 8> state_;
  std::array<unsigned char, 64> rest_{};
  size_t rest_bytes_ = 0;
  uint64_t total_bytes_ = 0;
};

std::string Sha256Of(std::string_view bytes);

// Whether `text` has the form of such a digest: 64 hexadecimal digits.
bool IsSha256(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_SHA256_H_
