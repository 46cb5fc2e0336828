// "Did you mean …": the known word nearest to a mistyped one.
#ifndef EDGEWISE_BASE_NEAREST_H_
#define EDGEWISE_BASE_NEAREST_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

// The candidate with the least edit distance to `word`, if it is near enough
// to be a typo of it (at most a third of its letters differ); else nullopt.
std::optional<std::string> Nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_NEAREST_H_
