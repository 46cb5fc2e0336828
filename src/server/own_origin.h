// Requests that a page of another site makes a browser send.
#ifndef EDGEWISE_SERVER_OWN_ORIGIN_H_
#define EDGEWISE_SERVER_OWN_ORIGIN_H_

#include <optional>

#include "http/request.h"
#include "server/problem.h"

namespace edgewise {

// A browser says where a request comes from (Origin); programs do not. Refused
// is one that does not come from a page of this server: on loopback no token
// stands in its way.
std::optional<Problem> RefuseOtherOrigin(const http::Request& request);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_OWN_ORIGIN_H_
