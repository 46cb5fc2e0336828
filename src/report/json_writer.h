// JSON documents made of arrays and objects, with long arrays of numbers.
#ifndef EDGEWISE_REPORT_JSON_WRITER_H_
#define EDGEWISE_REPORT_JSON_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

// Six significant digits, enough for a chart; "null" for what is unknown or
// not finite.
std::string JsonFigure(std::optional<double> value);

// An array, element by element: JsonArray().Add("1").Add("null").text().
class JsonArray {
 public:
  // `json` must be a JSON value.
  JsonArray& Add(std::string_view json);
  JsonArray& AddInt(int64_t value);
  JsonArray& AddNumber(std::optional<double> value);
  // "[…]".
  std::string text() const { return "[" + elements_ + "]"; }

 private:
  std::string elements_;
};

// An object, member by member; names are written as they are.
class JsonObject {
 public:
  JsonObject& Add(std::string_view name, std::string_view json);
  JsonObject& AddInt(std::string_view name, int64_t value);
  JsonObject& AddNumber(std::string_view name, std::optional<double> value);
  JsonObject& AddString(std::string_view name, std::string_view text);
  JsonObject& AddStrings(std::string_view name,
                         const std::vector<std::string>& texts);
  // "{…}".
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_JSON_WRITER_H_
