#include "server/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::HasSubstr;

TEST(EndpointTest, DocumentNamesPathsParametersAndSchemas) {
  Endpoint endpoint;
  endpoint.route = {"DELETE", "/jobs/{id}", nullptr, http::Access::kToken};
  endpoint.summary = "End a job";
  endpoint.answers = {{204, "It has ended.", {}},
                      ErrorAnswer(404, "There is no such job.")};
  const std::string document = OpenApiDocument({endpoint}, {kErrorSchemas});
  EXPECT_THAT(document, HasSubstr("\"/jobs/{id}\": {\n      \"delete\": {"));
  EXPECT_THAT(document, HasSubstr("\"name\": \"id\""));
  EXPECT_THAT(document, HasSubstr("\"401\": {"));
  EXPECT_THAT(document, HasSubstr("\"$ref\": \"#/components/schemas/Error\""));
  EXPECT_THAT(document, HasSubstr("\"Error\": {"));
}

}  // namespace
}  // namespace edgewise
