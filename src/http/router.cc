#include "http/router.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace edgewise::http {
namespace {

std::string_view WithoutLastSlash(std::string_view path) {
  return path.size() > 1 && path.ends_with('/')
             ? path.substr(0, path.size() - 1)
             : path;
}

// The parameters if the path fits; nothing is allocated for those that do not.
std::optional<Fields> Fit(std::string_view pattern, std::string_view path) {
  Fields parameters;
  while (true) {
    const size_t pattern_end = std::min(pattern.find('/'), pattern.size());
    const size_t path_end = std::min(path.find('/'), path.size());
    const std::string_view wanted = pattern.substr(0, pattern_end);
    const std::string_view given = path.substr(0, path_end);
    if (wanted.starts_with('{') && wanted.ends_with('}')) {
      if (given.empty()) {
        return std::nullopt;
      }
      parameters.emplace_back(wanted.substr(1, wanted.size() - 2), given);
    } else if (wanted != given) {
      return std::nullopt;
    }
    const bool pattern_done = pattern_end == pattern.size();
    const bool path_done = path_end == path.size();
    if (pattern_done || path_done) {
      return pattern_done && path_done ? std::optional(parameters)
                                       : std::nullopt;
    }
    pattern.remove_prefix(pattern_end + 1);
    path.remove_prefix(path_end + 1);
  }
}

void Allow(std::string& allowed, std::string_view method) {
  if (!allowed.empty()) {
    allowed += ", ";
  }
  allowed += method;
}

}  // namespace

void Router::Add(Route route) {
  route.pattern = WithoutLastSlash(route.pattern);
  routes_.push_back(std::move(route));
}

RouteMatch Router::Find(std::string_view method, std::string_view path) const {
  RouteMatch match;
  const std::string_view wanted_method = method == "HEAD" ? "GET" : method;
  for (size_t i = 0; i < routes_.size(); ++i) {
    auto parameters = Fit(routes_[i].pattern, WithoutLastSlash(path));
    if (!parameters) {
      continue;
    }
    if (routes_[i].method == wanted_method) {
      return {&routes_[i], i, std::move(*parameters), ""};
    }
    Allow(match.allowed, routes_[i].method);
    if (routes_[i].method == "GET") {
      Allow(match.allowed, "HEAD");
    }
  }
  return match;
}

bool Router::NeedsToken() const {
  return std::any_of(routes_.begin(), routes_.end(), [](const Route& route) {
    return route.access == Access::kToken;
  });
}

}  // namespace edgewise::http
