#include "base/host_port.h"

#include "base/text.h"

namespace edgewise {

Result<HostPort> ParseHostPort(std::string_view text,
                               std::string_view default_host, int least_port) {
  const Error invalid{ErrorCode::kInvalid,
                      "\"" + std::string(text) +
                          "\" is not an address: write " +
                          (default_host.empty() ? "" : "PORT or ") +
                          "HOST:PORT, as in localhost:1883, with a port from " +
                          std::to_string(least_port) + " to 65535"};
  const size_t colon = text.rfind(':');
  std::string_view host = default_host;
  std::string_view port = text;
  if (colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
    if (host.starts_with('[') && host.ends_with(']')) {
      host = host.substr(1, host.size() - 2);
    } else if (host.find(':') != std::string_view::npos) {
      return invalid;
    }
  }
  const auto number = ParseInt(port);
  if (host.empty() || host.find_first_of(" []/") != std::string_view::npos ||
      !number || *number < least_port || *number > 65535) {
    return invalid;
  }
  return HostPort{std::string(host), static_cast<int>(*number)};
}

std::string FormatHostPort(const std::string& host, int port) {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace edgewise
