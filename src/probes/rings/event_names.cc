#include "probes/rings/event_names.h"

#include <utility>

namespace edgewise {
namespace {

// The length of the valid UTF-8 sequence at the start of `text`; 0 if there
// is none (overlong forms, surrogates and values above U+10FFFF included).
size_t Utf8SequenceLength(std::span<const char> text) {
  const auto byte = [&](size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  size_t length = 0;
  uint32_t code = 0;
  uint32_t smallest = 0;
  if (first >= 0xC2 && first < 0xE0) {
    length = 2, code = first & 0x1Fu, smallest = 0x80;
  } else if (first >= 0xE0 && first < 0xF0) {
    length = 3, code = first & 0x0Fu, smallest = 0x800;
  } else if (first >= 0xF0 && first < 0xF5) {
    length = 4, code = first & 0x07u, smallest = 0x10000;
  }
  if (length == 0 || length > text.size()) {
    return 0;
  }
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code >= smallest && code <= 0x10FFFF && !surrogate ? length : 0;
}

}  // namespace

void CleanText(std::span<char> text, bool keep_newlines) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8SequenceLength(text.subspan(i));
    const auto first = static_cast<unsigned char>(text[i]);
    const bool control = first < 0x20 || first == 0x7F;
    if (length == 0 || (control && !(keep_newlines && first == '\n'))) {
      text[i] = '?';
    }
    i += length == 0 ? 1 : length;
  }
}

std::optional<uint32_t> EventNames::Resolve(EventKind kind, std::string name,
                                            const RingClient& client,
                                            RingSink& sink) {
  auto& ids = ids_[static_cast<int>(kind)];
  const auto known = ids.find(name);
  if (known != ids.end()) {
    return known->second;
  }
  if (count_ >= most_names_) {
    return std::nullopt;
  }
  const uint32_t id = count_++;
  sink.OnName(client, id, kind, name);
  ids.emplace(std::move(name), id);
  return id;
}

}  // namespace edgewise
