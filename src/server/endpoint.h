// Endpoint: a route, and what is said about it to those who call it.
#ifndef EDGEWISE_SERVER_ENDPOINT_H_
#define EDGEWISE_SERVER_ENDPOINT_H_

#include <string>
#include <vector>

#include "http/router.h"

namespace edgewise {

// A body, in a request or an answer.
struct BodyForm {
  std::string content_type;  // empty: no body
  // The name of a schema under components; empty: not described (text, a page).
  std::string schema;
};

struct EndpointAnswer {
  int status = 200;
  std::string description;
  BodyForm form;
};

struct Endpoint {
  http::Route route;
  std::string summary;
  std::vector<BodyForm> requests;  // any of them; empty: takes no body
  std::vector<EndpointAnswer> answers;
};

// Answers that are an error in JSON; `description` says when.
EndpointAnswer ErrorAnswer(int status, std::string description);

// The OpenAPI 3.0 document of all endpoints. `schemas`: objects of JSON text,
// each with schemas by name. Needs each to be valid JSON.
std::string OpenApiDocument(const std::vector<Endpoint>& endpoints,
                            const std::vector<std::string>& schemas);

// What every error looks like, as such an object.
extern const char kErrorSchemas[];

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_ENDPOINT_H_
