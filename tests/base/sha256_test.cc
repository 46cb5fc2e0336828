#include "base/sha256.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/sha256_blocks.h"

namespace edgewise {
namespace {

// The examples of FIPS 180-4.
TEST(Sha256Test, DigestsAreThoseOfTheStandard) {
  EXPECT_EQ(Sha256Of(""),
            "e3b0c44298fc1c149afbf4c8996fb924"
            "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Of("abc"),
            "ba7816bf8f01cfea414140de5dae2223"
            "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(
      Sha256Of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256Of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, HowTheBytesComeDoesNotMatter) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    bytes.push_back(static_cast<char>(i * 7));
  }
  const std::string whole = Sha256Of(bytes);
  for (size_t piece = 1; piece < bytes.size(); ++piece) {
    Sha256 digest;
    for (size_t at = 0; at < bytes.size(); at += piece) {
      digest.Update(std::string_view(bytes).substr(at, piece));
    }
    ASSERT_EQ(digest.HexDigest(), whole) << "in pieces of " << piece;
  }
}

TEST(Sha256Test, ZerosCountAsBytes) {
  Sha256 digest;
  digest.Update("hole");
  digest.UpdateZeros(10'000);
  EXPECT_EQ(digest.HexDigest(), Sha256Of("hole" + std::string(10'000, '\0')));
}

TEST(Sha256Test, TheProcessorsInstructionsAgreeWithPlainOnes) {
  const Sha256Blocks own = Sha256BlocksOfProcessor();
  if (own == nullptr) {
    GTEST_SKIP() << "this processor has no instructions for SHA-256";
  }
  std::vector<unsigned char> bytes(64 * 9);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(i * i + 3);
  }
  std::array<uint32_t, 8> plain = {1, 2, 3, 4, 5, 6, 7, 0xffffffff};
  std::array<uint32_t, 8> fast = plain;
  Sha256BlocksPortable(plain, bytes.data(), 9);
  own(fast, bytes.data(), 9);
  EXPECT_EQ(fast, plain);
}

TEST(Sha256Test, OnlySixtyFourHexadecimalDigitsAreADigest) {
  EXPECT_TRUE(IsSha256(Sha256Of("")));
  EXPECT_FALSE(IsSha256(""));
  EXPECT_FALSE(IsSha256(Sha256Of("") + "0"));
  EXPECT_FALSE(IsSha256(std::string(64, 'g')));
}

}  // namespace
}  // namespace edgewise
