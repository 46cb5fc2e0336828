// Frames grouped into functions, and what was counted in each. Private to this
// room.
#ifndef EDGEWISE_STACKS_FUNCTION_TABLE_H_
#define EDGEWISE_STACKS_FUNCTION_TABLE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "stacks/functions.h"
#include "stacks/profile.h"

namespace edgewise::stacks {

struct FunctionTable {
  std::vector<int32_t> of_frame;  // index of `functions` for every frame
  // In the order of their first frame; without shares and intervals.
  std::vector<FunctionUse> functions;
};

// `profile` must be Valid().
FunctionTable CountFunctions(const StackProfile& profile);

// The same for functions that are one, in any profile: another build of a
// program lies elsewhere or is called otherwise, so folders do not count, nor
// does the name of a program (that of a library does).
std::string FunctionKey(const FunctionUse& function);

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_FUNCTION_TABLE_H_
