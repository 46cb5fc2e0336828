#include "server/endpoint.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

std::string ContentOf(const std::vector<BodyForm>& forms) {
  JsonObject content;
  for (const BodyForm& form : forms) {
    JsonObject media;
    if (!form.schema.empty()) {
      media.Add("schema",
                JsonObject()
                    .AddString("$ref", "#/components/schemas/" + form.schema)
                    .text());
    }
    content.Add(form.content_type, media.text());
  }
  return content.text();
}

JsonArray ParametersOf(const std::string& pattern) {
  JsonArray parameters;
  for (const std::string_view piece : Split(pattern, '/')) {
    if (piece.starts_with('{') && piece.ends_with('}')) {
      parameters.Add(
          JsonObject()
              .AddString("name", piece.substr(1, piece.size() - 2))
              .AddString("in", "path")
              .Add("required", "true")
              .Add("schema", JsonObject().AddString("type", "string").text())
              .text());
    }
  }
  return parameters;
}

std::string ResponsesOf(const Endpoint& endpoint) {
  std::vector<EndpointAnswer> answers = endpoint.answers;
  if (endpoint.route.access == http::Access::kToken) {
    answers.push_back(ErrorAnswer(401, "A token is needed and was not sent."));
  }
  JsonObject responses;
  for (const EndpointAnswer& answer : answers) {
    JsonObject response;
    response.AddString("description", answer.description);
    if (!answer.form.content_type.empty()) {
      response.Add("content", ContentOf({answer.form}));
    }
    responses.Add(std::to_string(answer.status), response.text());
  }
  return responses.text();
}

std::string OperationOf(const Endpoint& endpoint) {
  JsonObject operation;
  operation.AddString("summary", endpoint.summary);
  if (endpoint.route.pattern.find('{') != std::string::npos) {
    operation.Add("parameters", ParametersOf(endpoint.route.pattern).text());
  }
  if (!endpoint.requests.empty()) {
    operation.Add("requestBody",
                  JsonObject()
                      .Add("required", "true")
                      .Add("content", ContentOf(endpoint.requests))
                      .text());
  }
  operation.Add("responses", ResponsesOf(endpoint));
  if (endpoint.route.access == http::Access::kToken) {
    operation.Add("security", R"([{"bearer":[]},{"basic":[]}])");
  }
  return operation.text();
}

}  // namespace

const char kErrorSchemas[] = R"("Error": {
  "type": "object",
  "required": ["error"],
  "properties": {
    "error": {
      "type": "object",
      "required": ["code", "message"],
      "properties": {
        "code": {"type": "string", "description": "For programs; never changes."},
        "message": {"type": "string", "description": "One sentence for a person."},
        "field": {"type": "string", "description": "What of the request is wrong."}
      }
    }
  }
})";

EndpointAnswer ErrorAnswer(int status, std::string description) {
  return {status, std::move(description), {http::kJsonType, "Error"}};
}

std::string OpenApiDocument(const std::vector<Endpoint>& endpoints,
                            const std::vector<std::string>& schemas) {
  std::map<std::string, JsonObject> by_path;
  for (const Endpoint& endpoint : endpoints) {
    std::string method = endpoint.route.method;
    std::transform(method.begin(), method.end(), method.begin(),
                   [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    by_path[endpoint.route.pattern].Add(method, OperationOf(endpoint));
  }
  JsonObject paths;
  for (const auto& [path, operations] : by_path) {
    paths.Add(path, operations.text());
  }
  JsonObject components;
  components.Add("securitySchemes",
                 R"({"bearer":{"type":"http","scheme":"bearer"},)"
                 R"("basic":{"type":"http","scheme":"basic"}})");
  components.Add("schemas", "{" + Join(schemas, ",") + "}");
  return JsonObject()
             .AddString("openapi", "3.0.3")
             .Add("info",
                  JsonObject()
                      .AddString("title", "edgewise")
                      .AddString("version", "1")
                      .AddString("description",
                                 "Measurements of edge applications, and "
                                 "decisions made of them.")
                      .text())
             .Add("paths", paths.text())
             .Add("components", components.text())
             .text() +
         "\n";
}

}  // namespace edgewise
