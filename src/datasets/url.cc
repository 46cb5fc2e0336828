#include "datasets/url.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace edgewise {
namespace {

bool StartsWith(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(
             lower.begin(), lower.end(), text.begin(), [](char want, char has) {
               return want == std::tolower(static_cast<unsigned char>(has));
             });
}

}  // namespace

std::string PercentEncode(std::string_view text, bool keep_slash) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                       c == '.' || c == '~' || (c == '/' && keep_slash);
    if (plain) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[byte >> 4];
      encoded += kDigits[byte & 15];
    }
  }
  return encoded;
}

std::string PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, byte, 16)
                .ptr == text.data() + i + 3) {
      decoded += static_cast<char>(byte);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

bool IsHttpUrl(std::string_view source) {
  return StartsWith(source, "http://") || StartsWith(source, "https://");
}

Result<HttpUrl> ParseHttpUrl(std::string_view source) {
  HttpUrl parsed;
  source = source.substr(0, source.find('#'));
  const size_t begin = source.find("://") + 3;
  const size_t host_end =
      std::min(source.find_first_of("/?", begin), source.size());
  std::string_view host = source.substr(begin, host_end - begin);
  if (const size_t at = host.rfind('@'); at != std::string_view::npos) {
    const std::string_view who = host.substr(0, at);
    const size_t colon = std::min(who.find(':'), who.size());
    parsed.user = PercentDecode(who.substr(0, colon));
    parsed.password =
        PercentDecode(who.substr(std::min(colon + 1, who.size())));
    host.remove_prefix(at + 1);
  }
  if (host.empty() || source.find(' ') != std::string_view::npos) {
    return Error{
        ErrorCode::kInvalid,
        "\"" + std::string(source.substr(0, begin)) + std::string(host) +
            "…\" is no address: write https://HOST/PATH, blanks as %20"};
  }
  const std::string front =
      std::string(source.substr(0, begin)) + std::string(host);
  const std::string_view rest = source.substr(host_end);
  const size_t query = std::min(rest.find('?'), rest.size());
  const std::string_view path = rest.substr(0, query);
  parsed.url = front + std::string(rest);
  parsed.shown = front + std::string(path) + (query < rest.size() ? "?…" : "");
  parsed.file = PercentDecode(path.substr(path.rfind('/') + 1));
  return parsed;
}

bool IsS3Url(std::string_view source) { return StartsWith(source, "s3://"); }

Result<S3Url> ParseS3Url(std::string_view source) {
  source.remove_prefix(std::string_view("s3://").size());
  const size_t slash = std::min(source.find('/'), source.size());
  S3Url parsed;
  parsed.bucket = source.substr(0, slash);
  std::string_view key = source.substr(slash);
  while (key.starts_with('/')) {
    key.remove_prefix(1);
  }
  while (key.ends_with('/')) {
    key.remove_suffix(1);
  }
  parsed.key = key;
  const auto is_wrong = [](char c) {
    return !(std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ||
             c == '.' || c == '_');
  };
  if (parsed.bucket.empty() || parsed.bucket.front() == '.' ||
      std::any_of(parsed.bucket.begin(), parsed.bucket.end(), is_wrong)) {
    return Error{ErrorCode::kInvalid,
                 "\"s3://" + std::string(source) +
                     "\" names no bucket: write s3://BUCKET/PREFIX"};
  }
  return parsed;
}

}  // namespace edgewise
