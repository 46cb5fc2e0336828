#include "probes/python/object_text.h"

#include <algorithm>

namespace edgewise::python {
namespace {

// Every string and bytes object has at least these.
constexpr size_t kHeadBytes = 40;
using Head = std::array<char, kHeadBytes>;

// Where an object's text is, and in which form.
struct TextPlace {
  size_t offset = 0;
  size_t character_bytes = 1;
  size_t characters = 0;
  bool cut = false;
};

std::optional<TextPlace> PlaceOfString(const Head& head, const Layout& layout) {
  const auto length = ValueAt<uint64_t>(head, kStringLength);
  const auto state = ValueAt<uint32_t>(head, kStringState);
  const auto character_bytes =
      (state >> kStringKindShift) & kStringKindMask;  // 1, 2 or 4
  if ((state & kStringCompact) == 0 ||
      (character_bytes != 1 && character_bytes != 2 && character_bytes != 4)) {
    return std::nullopt;
  }
  TextPlace place;
  place.offset =
      (state & kStringAscii) != 0 ? layout.ascii_text : layout.compact_text;
  place.character_bytes = character_bytes;
  place.characters = std::min(length, kMaxNameCharacters);
  place.cut = length > kMaxNameCharacters;
  return place;
}

std::string Named(std::string_view bytes, const TextPlace& place) {
  std::string text = Utf8FromCharacters(bytes, place.character_bytes);
  if (place.cut) {
    text += "…";
  }
  return text;
}

void AppendUtf8(uint32_t c, std::string* text) {
  constexpr uint32_t kReplacement = 0xfffd;
  if ((c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff) {
    c = kReplacement;
  } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
    c = '?';
  }
  const auto put = [text](uint32_t byte) {
    text->push_back(static_cast<char>(byte));
  };
  const auto put_tail = [&put, c](int shift) {
    put(0x80 | ((c >> shift) & 0x3f));
  };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xc0 | (c >> 6));
    put_tail(0);
  } else if (c < 0x10000) {
    put(0xe0 | (c >> 12));
    put_tail(6);
    put_tail(0);
  } else {
    put(0xf0 | (c >> 18));
    put_tail(12);
    put_tail(6);
    put_tail(0);
  }
}

}  // namespace

std::string Utf8FromCharacters(std::string_view bytes, size_t character_bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (bytes.size() >= character_bytes) {
    uint32_t c = 0;
    for (size_t i = 0; i < character_bytes; ++i) {
      c |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])) << (8 * i);
    }
    AppendUtf8(c, &text);
    bytes.remove_prefix(character_bytes);
  }
  return text;
}

std::optional<CodeTexts> ReadCodeTexts(const ReadPieces& read,
                                       const Layout& layout, uint64_t qualname,
                                       uint64_t filename, uint64_t line_table) {
  std::array<Head, 3> heads{};
  const std::array<RemotePiece, 3> head_pieces{
      {{qualname, heads[0]},
       {filename, heads[1]},
       // Empty bytes are shorter.
       {line_table, std::span(heads[2]).first(kBytesText)}}};
  if (read(head_pieces) != head_pieces.size()) {
    return std::nullopt;
  }
  const auto name_place = PlaceOfString(heads[0], layout);
  const auto file_place = PlaceOfString(heads[1], layout);
  if (!name_place || !file_place) {
    return std::nullopt;
  }
  const auto table_bytes = ValueAt<uint64_t>(heads[2], kObjectSize);

  std::string name(name_place->characters * name_place->character_bytes, '\0');
  std::string file(file_place->characters * file_place->character_bytes, '\0');
  CodeTexts texts;
  texts.line_table.resize(table_bytes <= kMaxLineTableBytes ? table_bytes : 0);
  const std::array<RemotePiece, 3> pieces{
      {{qualname + name_place->offset, name},
       {filename + file_place->offset, file},
       {line_table + kBytesText, texts.line_table}}};
  if (read(pieces) != pieces.size()) {
    return std::nullopt;
  }
  texts.qualname = Named(name, *name_place);
  texts.filename = Named(file, *file_place);
  return texts;
}

}  // namespace edgewise::python
