#include "http/tokens.h"

#include <strings.h>

#include <cstdint>

#include "base/text.h"

namespace edgewise::http {
namespace {

constexpr size_t kLeastTokenBytes = 16;

// The rest of a header that begins with a scheme's name.
std::optional<std::string_view> After(std::string_view header,
                                      std::string_view scheme) {
  if (header.size() <= scheme.size() || header[scheme.size()] != ' ' ||
      ::strncasecmp(header.data(), scheme.data(), scheme.size()) != 0) {
    return std::nullopt;
  }
  return Trim(header.substr(scheme.size()));
}

int Base64Value(char c) {
  if (c >= 'A' && c <= 'Z') {
    return c - 'A';
  }
  if (c >= 'a' && c <= 'z') {
    return c - 'a' + 26;
  }
  if (c >= '0' && c <= '9') {
    return c - '0' + 52;
  }
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

bool SameSecret(std::string_view a, std::string_view b) {
  volatile unsigned char difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference = static_cast<unsigned char>(
        difference | static_cast<unsigned char>(a[i] ^ other));
  }
  return difference == 0;
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  while (text.ends_with('=')) {
    text.remove_suffix(1);
  }
  std::string bytes;
  uint32_t kept = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = Base64Value(c);
    if (value < 0) {
      return std::nullopt;
    }
    kept = kept << 6 | static_cast<uint32_t>(value);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes += static_cast<char>(kept >> bits & 0xff);
    }
  }
  return bytes;
}

bool IsPermitted(std::optional<std::string_view> authorization,
                 const std::vector<std::string>& tokens) {
  if (!authorization) {
    return false;
  }
  std::string given;
  if (const auto bearer = After(*authorization, "Bearer")) {
    given = *bearer;
  } else if (const auto basic = After(*authorization, "Basic")) {
    const auto decoded = DecodeBase64(*basic);
    if (!decoded || decoded->find(':') == std::string::npos) {
      return false;
    }
    given = decoded->substr(decoded->find(':') + 1);
  } else {
    return false;
  }
  // All of them, whichever fits: the time tells nothing.
  bool permitted = false;
  for (const std::string& token : tokens) {
    permitted |= SameSecret(given, token);
  }
  return permitted;
}

Result<std::vector<std::string>> ReadTokens(const std::filesystem::path& file) {
  const auto text = ReadFile(file);
  if (!text) {
    return text.error();
  }
  std::vector<std::string> tokens;
  for (const std::string_view line : Split(*text, '\n')) {
    const std::string_view token = Trim(line);
    if (token.empty() || token.starts_with('#')) {
      continue;
    }
    if (token.size() < kLeastTokenBytes) {
      return Error{ErrorCode::kInvalid,
                   file.string() +
                       " has a token of fewer than 16 characters, "
                       "which can be guessed: write a longer one "
                       "(openssl rand -hex 24 makes one)"};
    }
    tokens.emplace_back(token);
  }
  if (tokens.empty()) {
    return Error{ErrorCode::kInvalid,
                 file.string() +
                     " has no token: write one into a line of it "
                     "(openssl rand -hex 24 makes one)"};
  }
  return tokens;
}

}  // namespace edgewise::http
