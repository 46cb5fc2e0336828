// The layout of the store's tables, and how an older one becomes the current.
//
// The file's user_version is the number of its layout. Steps are only ever
// appended; docs/formats/store.md describes the tables. Private to this room.
#ifndef EDGEWISE_STORE_SCHEMA_H_
#define EDGEWISE_STORE_SCHEMA_H_

#include <span>

#include "base/result.h"
#include "store/database.h"

namespace edgewise {

// SQL that turns layout N into N+1; the first makes layout 1 of an empty file.
std::span<const char* const> LayoutSteps();

// The layout that a file has, 0 for an empty one. Refuses one that is newer
// than `steps`, and changes nothing.
Result<int64_t> LayoutOf(const Database& database,
                         std::span<const char* const> steps = LayoutSteps());

// Brings the file to layout `steps.size()` in one transaction.
Result<void> Migrate(Database& database,
                     std::span<const char* const> steps = LayoutSteps());

}  // namespace edgewise

#endif  // EDGEWISE_STORE_SCHEMA_H_
