#include "server/problem.h"

#include "report/json_writer.h"

namespace edgewise {

std::string ProblemJson(const Problem& problem) {
  JsonObject json;
  json.AddString("code", problem.code);
  if (!problem.field.empty()) {
    json.AddString("field", problem.field);
  }
  return json.AddString("message", problem.message).text();
}

http::Response ProblemResponse(const Problem& problem) {
  return {
      .status = problem.status,
      .body = JsonObject().Add("error", ProblemJson(problem)).text() + "\n"};
}

}  // namespace edgewise
