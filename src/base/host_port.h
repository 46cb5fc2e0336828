// "HOST:PORT" as people write it.
#ifndef EDGEWISE_BASE_HOST_PORT_H_
#define EDGEWISE_BASE_HOST_PORT_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

struct HostPort {
  std::string host;
  int port = 0;
  bool operator==(const HostPort&) const = default;
};

// "localhost:1883", "[::1]:1883"; with `default_host` also "1883". Ports from
// `least_port` to 65535. The error says what to write.
Result<HostPort> ParseHostPort(std::string_view text,
                               std::string_view default_host = "",
                               int least_port = 1);
// "localhost:1883", "[::1]:1883".
std::string FormatHostPort(const std::string& host, int port);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_HOST_PORT_H_
