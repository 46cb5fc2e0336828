// Constants of the stored form of a StackProfile. Private to encode.cc and
// decode.cc.
#ifndef EDGEWISE_STACKS_ENCODING_H_
#define EDGEWISE_STACKS_ENCODING_H_

#include <cstdint>

#include "stacks/profile.h"

namespace edgewise::stacks {

inline constexpr uint8_t kFormat = 1;
// A frame's flags: its kind, and two bits above.
inline constexpr unsigned kInlinedBit = 8;
inline constexpr unsigned kNamedBit = 16;
inline constexpr unsigned kAllFlags = 31;
inline constexpr auto kLastKind = static_cast<unsigned>(FrameKind::kMark);

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_ENCODING_H_
