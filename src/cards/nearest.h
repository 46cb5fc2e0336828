// The known word that a misspelt one was probably meant to be.
#ifndef EDGEWISE_CARDS_NEAREST_H_
#define EDGEWISE_CARDS_NEAREST_H_

#include <optional>
#include <span>
#include <string_view>

namespace edgewise {

// The word at the least edit distance (insertions, deletions, replacements),
// if that is at most 2 and less than half of its length; nullopt otherwise.
std::optional<std::string_view> NearestWord(
    std::string_view word, std::span<const std::string_view> known);

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_NEAREST_H_
