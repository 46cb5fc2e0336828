// Who may ask: a token in the Authorization header, as "Bearer TOKEN" or, for
// callers that know only that, as the password of "Basic".
#ifndef EDGEWISE_HTTP_TOKENS_H_
#define EDGEWISE_HTTP_TOKENS_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise::http {

// Takes a time that depends on the lengths only.
bool SameSecret(std::string_view a, std::string_view b);

// The bytes that base64 stands for; nullopt if it is none.
std::optional<std::string> DecodeBase64(std::string_view text);

// Whether an Authorization header carries one of the tokens.
bool IsPermitted(std::optional<std::string_view> authorization,
                 const std::vector<std::string>& tokens);

// One token a line; empty lines and lines with # do not count. At least one, of
// at least 16 characters each.
Result<std::vector<std::string>> ReadTokens(const std::filesystem::path& file);

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_TOKENS_H_
