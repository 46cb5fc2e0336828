// Request: what a client asked, as handlers see it.
//
// The room `http` knows how requests are received, matched to routes, permitted
// and answered over HTTP/1.1. It must not know what any of them is about.
#ifndef EDGEWISE_HTTP_REQUEST_H_
#define EDGEWISE_HTTP_REQUEST_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgewise::http {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;  // "GET", as sent; HEAD arrives as GET
  std::string path;    // decoded, without the query
  Fields parameters;   // the values of a route's {name} pieces
  Fields query;        // decoded
  Fields headers;      // names as sent
  std::string body;
  std::string peer;  // the client's address as numbers, e.g. "127.0.0.1"

  // Empty if the route has no such piece.
  std::string_view Parameter(std::string_view name) const;
  // The first of that name.
  std::optional<std::string_view> Query(std::string_view name) const;
  // The first of that name, whatever its case.
  std::optional<std::string_view> Header(std::string_view name) const;
  // The content type without its parameters, in lower case: "text/plain".
  std::string ContentType() const;
};

// The first field of that name; header names are alike in any case.
std::optional<std::string_view> FindField(const Fields& fields,
                                          std::string_view name);
std::optional<std::string_view> FindHeader(const Fields& headers,
                                           std::string_view name);

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_REQUEST_H_
