// Bodies of forms without files (application/x-www-form-urlencoded).
#ifndef EDGEWISE_SERVER_URL_ENCODED_H_
#define EDGEWISE_SERVER_URL_ENCODED_H_

#include <string_view>

#include "http/request.h"
#include "server/problem.h"

namespace edgewise {

// "a=b&c=d", with + and %XX decoded; the problem says what is wrong.
OrProblem<http::Fields> ReadUrlEncoded(std::string_view body);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_URL_ENCODED_H_
