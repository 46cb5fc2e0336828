// Telling UTF-8 from other bytes.
#ifndef EDGEWISE_BASE_UTF8_H_
#define EDGEWISE_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace edgewise {

// Bytes of the UTF-8 character that a non-empty text starts with; 0 if it
// starts with none (overlong forms, surrogates and what lies beyond Unicode are
// none).
size_t Utf8CharacterBytes(std::string_view text);

// Where the first byte is that is not part of a character; npos if all are.
size_t FindNotUtf8(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_UTF8_H_
