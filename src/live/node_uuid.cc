#include "live/node_uuid.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <random>

#include "base/text.h"

namespace edgewise::live {
namespace {

// FNV-1a over a salt and the text, with a last mix: not a secret, but different
// inputs give different uuids, and the input is not in it.
uint64_t Hash(std::string_view salt, std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::string_view part : {salt, text, salt}) {
    for (const char c : part) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
  }
  hash ^= hash >> 33;
  hash *= 0xff51afd7ed558ccd;
  return hash ^ (hash >> 33);
}

// As version 8 (of one's own making) of RFC 9562.
std::string Format(uint64_t high, uint64_t low) {
  high = (high & ~uint64_t{0xF000}) | 0x8000;
  low = (low & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  char text[40];
  std::snprintf(text, sizeof(text), "%08x-%04x-%04x-%04x-%012llx",
                static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16 & 0xFFFF),
                static_cast<unsigned>(high & 0xFFFF),
                static_cast<unsigned>(low >> 48),
                static_cast<unsigned long long>(low & 0xFFFFFFFFFFFF));
  return text;
}

}  // namespace

std::string UuidFrom(std::string_view machine_id) {
  return Format(Hash("edgewise node", machine_id),
                Hash("uuid of edgewise", machine_id));
}

Result<std::string> NodeUuid(const std::filesystem::path& home,
                             const std::filesystem::path& root) {
  if (const auto id = TryReadFile(root / "etc/machine-id")) {
    const std::string_view trimmed = Trim(*id);
    if (trimmed.size() >= 32) {
      return UuidFrom(trimmed);
    }
  }
  const std::filesystem::path file = home / "node-uuid";
  if (const auto kept = TryReadFile(file)) {
    if (const std::string_view uuid = Trim(*kept); uuid.size() == 36) {
      return std::string(uuid);
    }
  }
  std::random_device random;
  const auto word = [&] { return uint64_t{random()} << 32 | random(); };
  const std::string uuid = Format(word(), word());
  std::error_code error;
  std::filesystem::create_directories(home, error);
  if (const Result<void> written = WriteFile(file, uuid + "\n"); !written) {
    return written.error();
  }
  return uuid;
}

}  // namespace edgewise::live
