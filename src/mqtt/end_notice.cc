#include "mqtt/end_notice.h"

#include <charconv>

#include "mqtt/json_fields.h"

namespace edgewise::mqtt {

std::string FormatEndNotice(const EndNotice& notice) {
  return "{\"sent\":" + std::to_string(notice.sent) +
         (notice.run ? ",\"run\":\"" + std::to_string(*notice.run) + "\""
                     : std::string()) +
         "}";
}

std::optional<EndNotice> ParseEndNotice(std::string_view text) {
  JsonFields fields(text);
  std::optional<int64_t> sent;
  EndNotice notice;
  while (fields.Next()) {
    if (fields.name() == "sent") {
      sent = fields.Integer();
    } else if (fields.name() == "run") {
      const std::string_view digits = fields.Text().value_or("");
      uint64_t run = 0;
      const char* const end = digits.data() + digits.size();
      if (std::from_chars(digits.data(), end, run).ptr == end) {
        notice.run = run;
      }
    }
  }
  if (!sent || *sent < 0 || !fields.whole()) {
    return std::nullopt;
  }
  notice.sent = *sent;
  return notice;
}

}  // namespace edgewise::mqtt
