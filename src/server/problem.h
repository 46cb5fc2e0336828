// Problem: why a request cannot be answered as it is.
#ifndef EDGEWISE_SERVER_PROBLEM_H_
#define EDGEWISE_SERVER_PROBLEM_H_

#include <string>
#include <variant>

#include "http/response.h"

namespace edgewise {

struct Problem {
  int status = 400;
  std::string code;     // never changes
  std::string field;    // empty: none in particular
  std::string message;  // one sentence
};

template <typename T>
using OrProblem = std::variant<T, Problem>;

// The whole value of {"error": VALUE}.
std::string ProblemJson(const Problem& problem);
http::Response ProblemResponse(const Problem& problem);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_PROBLEM_H_
