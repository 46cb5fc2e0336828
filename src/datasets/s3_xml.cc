#include "datasets/s3_xml.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace edgewise {
namespace {

// Elements within elements; listings have three levels.
constexpr int kMaxDepth = 64;

void AppendUtf8(std::string& text, uint32_t code) {
  const auto more = [&](int shift) {
    text += static_cast<char>(0x80 | (code >> shift & 0x3f));
  };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    more(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    more(6);
    more(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    more(12);
    more(6);
    more(0);
  }
}

// The character of "#38", "#x26", "amp"; false if there is none.
bool AppendEntity(std::string& text, std::string_view name) {
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    const int base = name.starts_with('x') ? 16 : 10;
    name.remove_prefix(base == 16 ? 1 : 0);
    uint32_t code = 0;
    const auto parsed =
        std::from_chars(name.data(), name.data() + name.size(), code, base);
    const bool is_character =
        parsed.ec == std::errc() && parsed.ptr == name.data() + name.size() &&
        code != 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    if (is_character) {
      AppendUtf8(text, code);
    }
    return is_character;
  }
  constexpr std::pair<std::string_view, char> kKnown[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, character] : kKnown) {
    if (name == known) {
      text += character;
      return true;
    }
  }
  return false;
}

std::string Resolved(std::string_view raw) {
  std::string text;
  while (!raw.empty()) {
    const size_t plain = std::min(raw.find('&'), raw.size());
    text += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) {
      break;
    }
    const size_t end = raw.find(';');
    if (end != std::string_view::npos && end < 12 &&
        AppendEntity(text, raw.substr(1, end - 1))) {
      raw.remove_prefix(end + 1);
    } else {
      text += '&';
      raw.remove_prefix(1);
    }
  }
  return text;
}

}  // namespace

std::optional<XmlReader::Event> XmlReader::Fail() {
  failed_ = true;
  rest_ = {};
  return std::nullopt;
}

std::optional<XmlReader::Event> XmlReader::Next() {
  if (!pending_close_.empty()) {
    --depth_;
    return Event{Event::Kind::kClose, std::exchange(pending_close_, "")};
  }
  while (!rest_.empty()) {
    if (rest_.front() != '<') {
      const size_t end = std::min(rest_.find('<'), rest_.size());
      const std::string_view raw = rest_.substr(0, end);
      rest_.remove_prefix(end);
      if (depth_ > 0) {
        return Event{Event::Kind::kText, Resolved(raw)};
      }
      if (!Trim(raw).empty()) {
        return Fail();
      }
      continue;
    }
    const auto skip = [this](std::string_view begin, std::string_view end) {
      if (!rest_.starts_with(begin)) {
        return false;
      }
      const size_t at = rest_.find(end, begin.size());
      rest_.remove_prefix(at == std::string_view::npos ? rest_.size()
                                                       : at + end.size());
      failed_ = failed_ || at == std::string_view::npos;
      return true;
    };
    if (!skip("<?", "?>") && !skip("<!--", "-->")) {
      return Tag();
    }
  }
  return std::nullopt;
}

std::optional<XmlReader::Event> XmlReader::Tag() {
  const size_t end = rest_.find('>');
  // Not from object stores: document types (<!), and '>' within attributes.
  if (end == std::string_view::npos || rest_.starts_with("<!")) {
    return Fail();
  }
  std::string_view tag = rest_.substr(1, end - 1);
  rest_.remove_prefix(end + 1);
  const bool closes = tag.starts_with('/');
  const bool is_empty = tag.ends_with('/');
  tag.remove_prefix(closes ? 1 : 0);
  std::string_view name =
      tag.substr(0, std::min(tag.find_first_of(" \t\r\n/"), tag.size()));
  name.remove_prefix(name.find(':') + 1);  // npos + 1 is 0
  if (name.empty() || (closes && depth_ == 0) || depth_ >= kMaxDepth) {
    return Fail();
  }
  if (closes) {
    --depth_;
    return Event{Event::Kind::kClose, std::string(name)};
  }
  ++depth_;
  if (is_empty) {
    pending_close_ = name;
  }
  return Event{Event::Kind::kOpen, std::string(name)};
}

}  // namespace edgewise
