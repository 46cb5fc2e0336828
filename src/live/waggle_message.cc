#include "live/waggle_message.h"

#include <cmath>

#include "base/text.h"
#include "probes/rings/event_names.h"

namespace edgewise::live {
namespace {

constexpr size_t kMostNameBytes = 63;
constexpr std::string_view kEnd = "\n\n";

// Reads JSON from left to right; after the first thing that does not fit,
// nothing does.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool Take(char wanted) {
    SkipBlanks();
    if (rest_.empty() || rest_.front() != wanted) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<std::string> String() {
    if (!Take('"')) {
      return std::nullopt;
    }
    std::string text;
    while (!rest_.empty() && rest_.front() != '"') {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '\\') {
        if (rest_.empty()) {
          return std::nullopt;
        }
        c = rest_.front();
        rest_.remove_prefix(1);
        if (c == 'u') {
          if (!TakeCodePoint(&text)) {
            return std::nullopt;
          }
          continue;
        }
        // Control characters are of no use in a name.
        c = c == '"' || c == '\\' || c == '/' ? c : '?';
      }
      text.push_back(c);
    }
    return Take('"') ? std::optional(std::move(text)) : std::nullopt;
  }

  // A number, a word or a string, as it is written.
  std::optional<std::string_view> Scalar() {
    SkipBlanks();
    const std::string_view begin = rest_;
    if (!rest_.empty() && rest_.front() == '"') {
      if (!String()) {
        return std::nullopt;
      }
      return begin.substr(0, begin.size() - rest_.size());
    }
    while (!rest_.empty() &&
           std::string_view(",}] \t\r\n{[:\"").find(rest_.front()) ==
               std::string_view::npos) {
      rest_.remove_prefix(1);
    }
    const std::string_view word = begin.substr(0, begin.size() - rest_.size());
    return word.empty() ? std::nullopt : std::optional(word);
  }

  bool AtEnd() {
    SkipBlanks();
    return rest_.empty();
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' ||
                              rest_.front() == '\n' || rest_.front() == '\r')) {
      rest_.remove_prefix(1);
    }
  }

  bool TakeCodePoint(std::string* text) {
    if (rest_.size() < 4) {
      return false;
    }
    uint32_t code = 0;
    for (const char c : rest_.substr(0, 4)) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) {
        return false;
      }
      code = code << 4 | static_cast<uint32_t>(digit);
    }
    rest_.remove_prefix(4);
    if (code >= 0xD800 && code < 0xE000) {
      text->push_back('?');  // half of a pair
    } else if (code < 0x80) {
      text->push_back(static_cast<char>(code));
    } else if (code < 0x800) {
      text->push_back(static_cast<char>(0xC0 | code >> 6));
      text->push_back(static_cast<char>(0x80 | (code & 0x3F)));
    } else {
      text->push_back(static_cast<char>(0xE0 | code >> 12));
      text->push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
      text->push_back(static_cast<char>(0x80 | (code & 0x3F)));
    }
    return true;
  }

  std::string_view rest_;
};

struct Members {
  std::optional<double> value;
  std::optional<double> timestamp_s;
};

std::optional<Members> ReadMembers(Reader& reader) {
  Members members;
  if (!reader.Take('{')) {
    return std::nullopt;
  }
  if (reader.Take('}')) {
    return members;
  }
  do {
    const auto key = reader.String();
    if (!key || !reader.Take(':')) {
      return std::nullopt;
    }
    const auto word = reader.Scalar();
    if (!word) {
      return std::nullopt;
    }
    const auto number = ParseDouble(*word);
    const bool finite = number && std::isfinite(*number);
    if (*key == "value" && finite) {
      members.value = number;
    } else if (*key == "timestamp" && finite) {
      members.timestamp_s = number;
    }
  } while (reader.Take(','));
  return reader.Take('}') ? std::optional(members) : std::nullopt;
}

}  // namespace

std::optional<std::vector<WaggleValue>> ParseWaggleMessage(
    std::string_view text) {
  Reader reader(text);
  std::vector<WaggleValue> values;
  if (!reader.Take('{')) {
    return std::nullopt;
  }
  if (reader.Take('}')) {
    return reader.AtEnd() ? std::optional(values) : std::nullopt;
  }
  do {
    auto name = reader.String();
    if (!name || !reader.Take(':')) {
      return std::nullopt;
    }
    const auto members = ReadMembers(reader);
    if (!members) {
      return std::nullopt;
    }
    if (members->value && !name->empty() && name->size() <= kMostNameBytes) {
      CleanText(*name, /*keep_newlines=*/false);
      values.push_back(
          {std::move(*name), *members->value, members->timestamp_s});
    }
  } while (reader.Take(','));
  return reader.Take('}') && reader.AtEnd() ? std::optional(std::move(values))
                                            : std::nullopt;
}

bool WaggleFrames::Take(std::string_view bytes) {
  kept_.append(bytes);
  const size_t last_end = kept_.rfind(kEnd);
  const size_t open =
      last_end == std::string::npos ? kept_.size() : kept_.size() - last_end;
  return open <= kMostMessageBytes;
}

std::optional<std::string> WaggleFrames::Next() {
  // Empty lines beyond the one that ends a message mean nothing.
  const size_t begin = kept_.find_first_not_of('\n');
  if (begin == std::string::npos) {
    // Of the end of a message, half may be there.
    kept_.clear();
    return std::nullopt;
  }
  const size_t end = kept_.find(kEnd, begin);
  if (end == std::string::npos) {
    kept_.erase(0, begin);
    return std::nullopt;
  }
  std::string message = kept_.substr(begin, end - begin);
  kept_.erase(0, end + kEnd.size());
  return message;
}

}  // namespace edgewise::live
