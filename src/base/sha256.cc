#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/sha256_blocks.h"

namespace edgewise {
namespace {

constexpr size_t kBlockBytes = 64;
constexpr size_t kLengthBytes = 8;

// The first 32 bits of the fractional parts of the square roots of the first 8
// primes.
constexpr std::array<uint32_t, 8> kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                            0xa54ff53a, 0x510e527f, 0x9b05688c,
                                            0x1f83d9ab, 0x5be0cd19};

void TakeBlocks(std::array<uint32_t, 8>& state, const unsigned char* bytes,
                size_t blocks) {
  static const Sha256Blocks take = [] {
    const Sha256Blocks own = Sha256BlocksOfProcessor();
    return own != nullptr ? own : &Sha256BlocksPortable;
  }();
  take(state, bytes, blocks);
}

uint32_t BigEndian(const unsigned char* bytes) {
  return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 |
         uint32_t{bytes[2]} << 8 | uint32_t{bytes[3]};
}

}  // namespace

const std::array<uint32_t, 64> kSha256Rounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void Sha256BlocksPortable(std::array<uint32_t, 8>& state,
                          const unsigned char* bytes, size_t blocks) {
  for (; blocks > 0; --blocks, bytes += kBlockBytes) {
    std::array<uint32_t, 64> w;
    for (size_t i = 0; i < 16; ++i) {
      w[i] = BigEndian(bytes + 4 * i);
    }
    for (size_t i = 16; i < 64; ++i) {
      const uint32_t s0 =
          std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const uint32_t s1 =
          std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (size_t i = 0; i < 64; ++i) {
      const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const uint32_t choice = (e & f) ^ (~e & g);
      const uint32_t t1 = h + s1 + choice + kSha256Rounds[i] + w[i];
      const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + s0 + majority;
    }
    const std::array<uint32_t, 8> more = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < state.size(); ++i) {
      state[i] += more[i];
    }
  }
}

Sha256::Sha256() : state_(kStart) {}

void Sha256::Update(std::string_view bytes) {
  total_bytes_ += bytes.size();
  if (rest_bytes_ > 0) {
    const size_t taken = std::min(bytes.size(), kBlockBytes - rest_bytes_);
    std::memcpy(rest_.data() + rest_bytes_, bytes.data(), taken);
    rest_bytes_ += taken;
    bytes.remove_prefix(taken);
    if (rest_bytes_ < kBlockBytes) {
      return;
    }
    TakeBlocks(state_, rest_.data(), 1);
    rest_bytes_ = 0;
  }
  const size_t blocks = bytes.size() / kBlockBytes;
  TakeBlocks(state_, reinterpret_cast<const unsigned char*>(bytes.data()),
             blocks);
  bytes.remove_prefix(blocks * kBlockBytes);
  if (!bytes.empty()) {
    std::memcpy(rest_.data(), bytes.data(), bytes.size());
    rest_bytes_ = bytes.size();
  }
}

void Sha256::UpdateZeros(int64_t count) {
  static constexpr std::array<char, 4096> kZeros{};
  for (; count > 0; count -= static_cast<int64_t>(kZeros.size())) {
    Update({kZeros.data(), static_cast<size_t>(std::min(
                               count, static_cast<int64_t>(kZeros.size())))});
  }
}

std::string Sha256::HexDigest() {
  const uint64_t bits = total_bytes_ * 8;
  std::string end(1, '\x80');
  const size_t used = rest_bytes_ + 1 + kLengthBytes;
  end.append((2 * kBlockBytes - used) % kBlockBytes, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) {
    end.push_back(static_cast<char>(bits >> shift));
  }
  Update(end);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint32_t word : state_) {
    for (int shift = 28; shift >= 0; shift -= 4) {
      text.push_back(kDigits[word >> shift & 15]);
    }
  }
  return text;
}

std::string Sha256Of(std::string_view bytes) {
  Sha256 digest;
  digest.Update(bytes);
  return digest.HexDigest();
}

bool IsSha256(std::string_view text) {
  return text.size() == 64 &&
         text.find_first_not_of("0123456789abcdefABCDEF") ==
             std::string_view::npos;
}

}  // namespace edgewise
