// A StackProfile as bytes, for the store. docs/formats/stacks.md has the
// format.
#ifndef EDGEWISE_STACKS_ENCODE_H_
#define EDGEWISE_STACKS_ENCODE_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "stacks/profile.h"

namespace edgewise::stacks {

// `profile` must be Valid().
std::string Encode(const StackProfile& profile);

// What was encoded. Believes nothing: what it hands back is Valid() and its
// total fits; anything else is kCorrupt.
Result<StackProfile> Decode(std::string_view bytes);

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_ENCODE_H_
