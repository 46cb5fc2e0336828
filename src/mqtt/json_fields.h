// JsonFields: reads the members of one flat JSON object, one after the other.
//
// Made for payloads of which most is padding: what is not asked for is skipped
// without a copy, at the speed of memchr. Only what is looked at is checked.
#ifndef EDGEWISE_MQTT_JSON_FIELDS_H_
#define EDGEWISE_MQTT_JSON_FIELDS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace edgewise::mqtt {

class JsonFields {
 public:
  // `text` must outlive it.
  explicit JsonFields(std::string_view text);

  // Goes to the next member. False at the end of the object, or where the text
  // is none.
  bool Next();
  // Whether the whole text was one object, up to its closing brace; after Next
  // said false.
  bool whole() const { return whole_; }

  // Of the current member; as it is written, escapes not undone.
  std::string_view name() const { return name_; }
  // The value as a whole number, nullopt if it is none that fits.
  std::optional<int64_t> Integer() const;
  // The value if it is a text, as it is written.
  std::optional<std::string_view> Text() const;
  bool IsTrue() const { return value_ == "true"; }

 private:
  void SkipBlanks();
  bool Take(char c);
  // The inside of a string that begins at the current place.
  std::optional<std::string_view> TakeString();
  // Any value, as it is written.
  std::optional<std::string_view> TakeValue();
  bool SkipNested();

  std::string_view text_;
  size_t at_ = 0;
  bool inside_ = false;
  bool first_ = true;
  bool whole_ = false;
  std::string_view name_;
  std::string_view value_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_JSON_FIELDS_H_
