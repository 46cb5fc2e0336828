#include "server/endpoint.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace edgewise {
namespace {

using Json = nlohmann::ordered_json;

Json ContentOf(const std::vector<BodyForm>& forms) {
  Json content = Json::object();
  for (const BodyForm& form : forms) {
    Json& media = content[form.content_type] = Json::object();
    if (!form.schema.empty()) {
      media["schema"] = {{"$ref", "#/components/schemas/" + form.schema}};
    }
  }
  return content;
}

Json ParametersOf(const std::string& pattern) {
  Json parameters = Json::array();
  for (const std::string_view piece : Split(pattern, '/')) {
    if (piece.starts_with('{') && piece.ends_with('}')) {
      parameters.push_back({{"name", piece.substr(1, piece.size() - 2)},
                            {"in", "path"},
                            {"required", true},
                            {"schema", {{"type", "string"}}}});
    }
  }
  return parameters;
}

Json OperationOf(const Endpoint& endpoint) {
  Json operation;
  operation["summary"] = endpoint.summary;
  if (Json parameters = ParametersOf(endpoint.route.pattern);
      !parameters.empty()) {
    operation["parameters"] = std::move(parameters);
  }
  if (!endpoint.requests.empty()) {
    operation["requestBody"] = {{"required", true},
                                {"content", ContentOf(endpoint.requests)}};
  }
  Json& responses = operation["responses"] = Json::object();
  for (const EndpointAnswer& answer : endpoint.answers) {
    Json& response = responses[std::to_string(answer.status)];
    response["description"] = answer.description;
    if (!answer.form.content_type.empty()) {
      response["content"] = ContentOf({answer.form});
    }
  }
  if (endpoint.route.access == http::Access::kToken) {
    operation["security"] = {{{"bearer", Json::array()}},
                             {{"basic", Json::array()}}};
    if (!responses.contains("401")) {
      responses["401"] = {
          {"description", "A token is needed and was not sent."},
          {"content", ContentOf({{http::kJsonType, "Error"}})}};
    }
  }
  return operation;
}

}  // namespace

const char kErrorSchemas[] = R"({
  "Error": {
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
  }
})";

EndpointAnswer ErrorAnswer(int status, std::string description) {
  return {status, std::move(description), {http::kJsonType, "Error"}};
}

std::string OpenApiDocument(const std::vector<Endpoint>& endpoints,
                            const std::vector<std::string>& schemas) {
  Json document;
  document["openapi"] = "3.0.3";
  document["info"] = {{"title", "edgewise"},
                      {"version", "1"},
                      {"description",
                       "Measurements of edge applications, and "
                       "decisions made of them."}};
  Json& paths = document["paths"] = Json::object();
  for (const Endpoint& endpoint : endpoints) {
    std::string method = endpoint.route.method;
    std::transform(method.begin(), method.end(), method.begin(),
                   [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    paths[endpoint.route.pattern][method] = OperationOf(endpoint);
  }
  Json& components = document["components"];
  components["securitySchemes"] = {
      {"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
      {"basic", {{"type", "http"}, {"scheme", "basic"}}}};
  Json& all = components["schemas"] = Json::object();
  for (const std::string& text : schemas) {
    all.update(Json::parse(text));
  }
  return document.dump(2) + "\n";
}

}  // namespace edgewise
