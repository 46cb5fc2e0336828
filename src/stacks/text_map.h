// TextMap: texts to values, looked up by views.
#ifndef EDGEWISE_STACKS_TEXT_MAP_H_
#define EDGEWISE_STACKS_TEXT_MAP_H_

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace edgewise::stacks {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

template <typename Value>
using TextMap =
    std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_TEXT_MAP_H_
