// Router: which handler answers which method and path.
//
// Filled before the server starts, and not changed after.
#ifndef EDGEWISE_HTTP_ROUTER_H_
#define EDGEWISE_HTTP_ROUTER_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"
#include "http/response.h"

namespace edgewise::http {

// Called from several threads at once. It must not wait: what does (for another
// server, a file of unknown size) belongs into a `slow` route.
using Handler = std::function<Response(const Request&)>;

enum class Access {
  kOpen,   // everybody who reaches the server
  kToken,  // with a token, where the server has one
};

struct Route {
  std::string method;  // "GET" also answers HEAD
  // "/api/v1/jobs/{id}": a piece in braces takes one piece of a path. A slash
  // at the end makes no difference.
  std::string pattern;
  Handler handler;
  Access access = Access::kOpen;
  size_t max_body_bytes = size_t{1} << 20;
  // Runs on a thread of its own kind, so that others are answered meanwhile.
  bool slow = false;
};

struct RouteMatch {
  const Route* route = nullptr;  // null: none
  size_t index = 0;              // of the route, in the order of adding
  Fields parameters;
  // Where the path is known but not with this method: those it is known with,
  // as the Allow header lists them.
  std::string allowed;
};

class Router {
 public:
  void Add(Route route);
  // Of several routes that match, the first that was added.
  RouteMatch Find(std::string_view method, std::string_view path) const;
  const std::vector<Route>& routes() const { return routes_; }
  // Whether any route wants a token.
  bool NeedsToken() const;

 private:
  std::vector<Route> routes_;
};

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_ROUTER_H_
