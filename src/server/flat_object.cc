#include "server/flat_object.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace edgewise {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostMembers = 100;

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Problem NotJson(const std::string& why) {
  return {400, "invalid_json", "", "the body is not JSON: " + why};
}

Problem NotFlat(const std::string& key) {
  return {400, "invalid_field", key,
          "\"" + key + "\" is neither a number nor a text"};
}

// Takes members as they are parsed, so that numbers keep their digits.
class FlatReader : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return Add("null", std::nullopt, std::nullopt); }
  bool boolean(bool value) override {
    return Add(value ? "true" : "false", std::nullopt, std::nullopt);
  }
  bool number_integer(number_integer_t value) override {
    return Add(std::to_string(value), static_cast<double>(value), std::nullopt);
  }
  bool number_unsigned(number_unsigned_t value) override {
    return Add(std::to_string(value), static_cast<double>(value), std::nullopt);
  }
  bool number_float(number_float_t value, const string_t& digits) override {
    return Add(digits, value, std::nullopt);
  }
  bool string(string_t& value) override {
    std::string json = Quoted(value);
    return Add(std::move(json), std::nullopt, std::move(value));
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(size_t /*size*/) override {
    if (inside_) {
      problem = NotFlat(key_);
      return false;
    }
    inside_ = true;
    return true;
  }
  bool key(string_t& value) override {
    key_ = value;
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(size_t /*size*/) override {
    problem = inside_ ? NotFlat(key_)
                      : Problem{400, "invalid_json", "",
                                "the body is a list: send one object"};
    return false;
  }
  bool end_array() override { return false; }
  bool parse_error(size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    problem = error.id == 406  // beyond what a double holds
                  ? Problem{400, "invalid_field", key_,
                            "\"" + key_ + "\" is too large a number"}
                  : NotJson("it breaks at byte " + std::to_string(position));
    return false;
  }

  std::vector<FlatMember> members;
  std::optional<Problem> problem;

 private:
  bool Add(std::string json, std::optional<double> number,
           std::optional<std::string> text) {
    if (!inside_) {
      problem = NotJson("it is not an object");
      return false;
    }
    if (members.size() >= kMostMembers) {
      problem = {400, "invalid_field", key_,
                 "the object has more than " + std::to_string(kMostMembers) +
                     " members"};
      return false;
    }
    members.push_back({key_, std::move(json), number, std::move(text)});
    return true;
  }

  bool inside_ = false;
  std::string key_;
};

// Sorted by key; the last of several stays.
void SortMembers(std::vector<FlatMember>& members) {
  std::reverse(members.begin(), members.end());
  std::stable_sort(
      members.begin(), members.end(),
      [](const FlatMember& a, const FlatMember& b) { return a.key < b.key; });
  members.erase(std::unique(members.begin(), members.end(),
                            [](const FlatMember& a, const FlatMember& b) {
                              return a.key == b.key;
                            }),
                members.end());
}

OrProblem<std::vector<std::string>> ReadTexts(const Json& list,
                                              const std::string& key) {
  const Problem wrong{400, "invalid_field", key,
                      "\"" + key + "\" is not a list of texts"};
  if (!list.is_array()) {
    return wrong;
  }
  std::vector<std::string> texts;
  for (const Json& each : list) {
    if (!each.is_string()) {
      return wrong;
    }
    texts.push_back(each.get<std::string>());
  }
  return texts;
}

}  // namespace

const FlatMember* FlatObject::Find(std::string_view key) const {
  const auto found = std::find_if(
      members_.begin(), members_.end(),
      [key](const FlatMember& member) { return member.key == key; });
  return found == members_.end() ? nullptr : &*found;
}

std::string FlatObject::Json() const {
  std::string json = "{";
  for (const FlatMember& member : members_) {
    json +=
        (json.size() > 1 ? "," : "") + Quoted(member.key) + ":" + member.json;
  }
  return json + "}";
}

OrProblem<FlatObject> ReadFlatObject(std::string_view json) {
  FlatReader reader;
  if (!Json::sax_parse(json.begin(), json.end(), &reader)) {
    return reader.problem.value_or(NotJson("it is none at all"));
  }
  FlatObject object;
  object.members_ = std::move(reader.members);
  SortMembers(object.members_);
  return object;
}

OrProblem<FlatBatch> ReadFlatBatch(std::string_view json, size_t most) {
  Json document = Json::parse(json.begin(), json.end(), nullptr, false);
  if (!document.is_object()) {
    return NotJson("it is not an object");
  }
  const auto models = document.find("models");
  if (models == document.end() || !models->is_array()) {
    return Problem{400, "invalid_field", "models",
                   "\"models\" is missing, or is not a list of objects"};
  }
  if (models->size() > most) {
    return Problem{400, "invalid_field", "models",
                   "\"models\" has more than " + std::to_string(most) +
                       " elements: send several requests"};
  }
  FlatBatch batch;
  const auto dump = [](const Json& each) {
    return each.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  for (const Json& each : *models) {
    auto object = ReadFlatObject(dump(each));
    if (auto* const problem = std::get_if<Problem>(&object)) {
      problem->message = "model " + std::to_string(batch.models.size() + 1) +
                         ": " + problem->message;
      return *problem;
    }
    batch.models.push_back(std::move(std::get<FlatObject>(object)));
  }
  document.erase("models");
  if (document.contains("devices")) {
    auto devices = ReadTexts(document["devices"], "devices");
    if (auto* const problem = std::get_if<Problem>(&devices)) {
      return *problem;
    }
    batch.devices = std::move(std::get<std::vector<std::string>>(devices));
    document.erase("devices");
  }
  auto rest = ReadFlatObject(dump(document));
  if (auto* const problem = std::get_if<Problem>(&rest)) {
    return *problem;
  }
  batch.rest = std::move(std::get<FlatObject>(rest));
  return batch;
}

}  // namespace edgewise
