// Makes a Run of call stacks that another tool collected.
#ifndef EDGEWISE_STORE_IMPORT_STACKS_H_
#define EDGEWISE_STORE_IMPORT_STACKS_H_

#include <string>

#include "base/result.h"
#include "stacks/profile.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// A finished Run of kind "import" with nothing but these stacks, as stored.
// `note` says what they were made of.
Result<Run> ImportStacks(Store& store, const stacks::StackProfile& profile,
                         const std::string& label, const std::string& note,
                         int64_t now_utc_ns);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_IMPORT_STACKS_H_
