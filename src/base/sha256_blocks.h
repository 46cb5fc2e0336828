// What SHA-256 does with whole blocks of 64 bytes.
#ifndef EDGEWISE_BASE_SHA256_BLOCKS_H_
#define EDGEWISE_BASE_SHA256_BLOCKS_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace edgewise {

// The first 32 bits of the fractional parts of the cube roots of the first 64
// primes.
extern const std::array<uint32_t, 64> kSha256Rounds;

using Sha256Blocks = void (*)(std::array<uint32_t, 8>& state,
                              const unsigned char* bytes, size_t blocks);

// On any processor.
void Sha256BlocksPortable(std::array<uint32_t, 8>& state,
                          const unsigned char* bytes, size_t blocks);
// With the processor's instructions for it; null where it has none.
Sha256Blocks Sha256BlocksOfProcessor();

}  // namespace edgewise

#endif  // EDGEWISE_BASE_SHA256_BLOCKS_H_
