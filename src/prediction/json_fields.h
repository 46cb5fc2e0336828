// Members of a JSON document from elsewhere, checked as they are taken.
//
// The functions throw WrongField, which ReadJsonAs turns into an Error: inside
// a reader there is one way out.
#ifndef EDGEWISE_PREDICTION_JSON_FIELDS_H_
#define EDGEWISE_PREDICTION_JSON_FIELDS_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::fields {

using Json = nlohmann::json;

// The member of this name is missing or wrong.
struct WrongField {
  std::string field;
};

// Logarithms beyond this are no rates of anything.
inline constexpr double kLargest = 100;

const Json& Member(const Json& object, const char* field);
// A number that is finite and at most `limit` from 0; `field` is its name.
double Number(const Json& json, const char* field, double limit = kLargest);
// The same by name, where null is "unknown".
std::optional<double> MaybeNumber(const Json& object, const char* field);
// A whole number from 0 to `most`.
int64_t Count(const Json& object, const char* field, int64_t most);
std::string Text(const Json& object, const char* field);
// An array of at most `most` elements.
const Json& List(const Json& object, const char* field, size_t most);

// The text as a JSON object; refuses other JSON and more than 16 MiB.
Result<Json> ParseJsonObject(std::string_view text, const std::string& name,
                             std::string_view kind);
// "NAME is not KIND: WHY".
Error NotA(std::string_view kind, const std::string& name,
           const std::string& why);

// What `read` makes of the text as JSON; errors name the field.
template <typename T, typename Reader>
Result<T> ReadJsonAs(std::string_view text, const std::string& name,
                     std::string_view kind, const Reader& read) {
  const auto json = ParseJsonObject(text, name, kind);
  if (!json) {
    return json.error();
  }
  try {
    return read(*json);
  } catch (const WrongField& at) {
    return NotA(kind, name, "\"" + at.field + "\" is missing or wrong");
  } catch (const Json::exception&) {
    return NotA(kind, name, "it is damaged");
  }
}

}  // namespace edgewise::fields

#endif  // EDGEWISE_PREDICTION_JSON_FIELDS_H_
