// How the stacks of a Run are written. Private to this room.
#ifndef EDGEWISE_STORE_RUN_STACKS_H_
#define EDGEWISE_STORE_RUN_STACKS_H_

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "store/database.h"

namespace edgewise {

// `encoded` is what stacks::Encode made; it replaces what is there.
Result<void> WriteStacks(const Database& database, int64_t run_row,
                         std::string_view encoded);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_RUN_STACKS_H_
