#include "http/request.h"

#include <strings.h>

#include <algorithm>

#include "base/text.h"

namespace edgewise::http {

std::optional<std::string_view> FindField(const Fields& fields,
                                          std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key == name) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> FindHeader(const Fields& headers,
                                           std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key.size() == name.size() &&
        ::strncasecmp(key.data(), name.data(), name.size()) == 0) {
      return value;
    }
  }
  return std::nullopt;
}

std::string_view Request::Parameter(std::string_view name) const {
  return FindField(parameters, name).value_or("");
}

std::optional<std::string_view> Request::Query(std::string_view name) const {
  return FindField(query, name);
}

std::optional<std::string_view> Request::Header(std::string_view name) const {
  return FindHeader(headers, name);
}

std::string Request::ContentType() const {
  const auto header = Header("Content-Type");
  if (!header) {
    return "";
  }
  std::string type(Trim(header->substr(0, header->find(';'))));
  std::transform(type.begin(), type.end(), type.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return type;
}

}  // namespace edgewise::http
