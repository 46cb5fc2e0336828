#include "server/own_origin.h"

#include <string>

namespace edgewise {
namespace {

// "localhost:7001", "127.0.0.1:7001", "[::1]:7001": nothing that a name service
// decides.
bool NamesThisMachine(std::string_view host) {
  const size_t colon = host.rfind(':');
  const std::string_view name = host.substr(0, colon);
  const bool digits = !name.empty() && name.find_first_not_of("0123456789.") ==
                                           std::string_view::npos;
  return name == "localhost" || digits || host.starts_with('[');
}

}  // namespace

std::optional<Problem> RefuseOtherOrigin(const http::Request& request) {
  const auto origin = request.Header("Origin");
  if (!origin) {
    return std::nullopt;
  }
  const std::string host(request.Header("Host").value_or(""));
  const bool same = *origin == "http://" + host || *origin == "https://" + host;
  // A name may be made to lead here by whoever owns it; then both headers have
  // it. A token that was sent shows that the user means this server.
  if (same && (NamesThisMachine(host) || request.Header("Authorization"))) {
    return std::nullopt;
  }
  return Problem{403, "other_origin", "",
                 "this was asked by a page of " + std::string(*origin) +
                     ": only pages of this server and programs may"};
}

}  // namespace edgewise
