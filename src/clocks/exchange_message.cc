#include "clocks/exchange_message.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace edgewise::clocks {
namespace {

using Json = nlohmann::json;

constexpr char kKind[] = "edgewise_clock";
constexpr size_t kMaxBytes = 4096;

Error Invalid(const std::string& what) {
  return {ErrorCode::kInvalid, "not a message between clocks: " + what};
}

Result<Json> ParseKind(std::string_view text, const char* kind) {
  if (text.size() > kMaxBytes) {
    return Invalid("it has more than " + std::to_string(kMaxBytes) + " bytes");
  }
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return Invalid("it is no JSON object");
  }
  const auto found = json.find(kKind);
  if (found == json.end() || *found != kind) {
    return Invalid("\"" + std::string(kKind) + "\" is not \"" + kind + "\"");
  }
  return json;
}

// Times and sequence numbers: whole numbers from 0 to `most`.
std::optional<int64_t> Number(const Json& json, const char* key, int64_t most) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned() ||
      found->get<uint64_t>() > static_cast<uint64_t>(most)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(found->get<uint64_t>());
}

std::optional<std::string> Name(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_string()) {
    return std::nullopt;
  }
  auto name = found->get<std::string>();
  if (name.empty() || name.size() > kMaxClockName) {
    return std::nullopt;
  }
  return name;
}

constexpr int64_t kMaxTimeNs = (int64_t{1} << 62) - 1;

Result<ClockQuestion> QuestionFrom(const Json& json) {
  auto from = Name(json, "from");
  const auto sequence =
      Number(json, "sequence", std::numeric_limits<uint32_t>::max());
  const auto t0 = Number(json, "t0_ns", kMaxTimeNs);
  if (!from || !sequence || !t0) {
    return Invalid("from, sequence or t0_ns is missing or out of range");
  }
  return ClockQuestion{std::move(*from), static_cast<uint32_t>(*sequence), *t0};
}

Json ToJson(const ClockQuestion& question, const char* kind) {
  Json json;
  json[kKind] = kind;
  json["from"] = question.from;
  json["sequence"] = question.sequence;
  json["t0_ns"] = question.t0_ns;
  return json;
}

std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string FormatQuestion(const ClockQuestion& question) {
  return Text(ToJson(question, "question"));
}

std::string FormatAnswer(const ClockAnswer& answer) {
  Json json = ToJson(answer.question, "answer");
  json["by"] = answer.by;
  json["t1_ns"] = answer.t1_ns;
  json["t2_ns"] = answer.t2_ns;
  return Text(json);
}

Result<ClockQuestion> ParseQuestion(std::string_view text) {
  const auto json = ParseKind(text, "question");
  return json ? QuestionFrom(*json) : json.error();
}

Result<ClockAnswer> ParseAnswer(std::string_view text) {
  const auto json = ParseKind(text, "answer");
  if (!json) {
    return json.error();
  }
  auto question = QuestionFrom(*json);
  if (!question) {
    return question.error();
  }
  auto by = Name(*json, "by");
  const auto t1 = Number(*json, "t1_ns", kMaxTimeNs);
  const auto t2 = Number(*json, "t2_ns", kMaxTimeNs);
  if (!by || !t1 || !t2) {
    return Invalid("by, t1_ns or t2_ns is missing or out of range");
  }
  return ClockAnswer{std::move(*question), std::move(*by), *t1, *t2};
}

}  // namespace edgewise::clocks
