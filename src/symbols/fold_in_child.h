// FoldSpool in a process of its own.
#ifndef EDGEWISE_SYMBOLS_FOLD_IN_CHILD_H_
#define EDGEWISE_SYMBOLS_FOLD_IN_CHILD_H_

#include <chrono>
#include <functional>
#include <string>

#include "base/result.h"
#include "stacks/profile.h"
#include "stacks/spool.h"
#include "symbols/fold_spool.h"

namespace edgewise::symbols {

// Like FoldSpool, but a file that crashes a library, is cut short while it is
// read, or keeps it busy for longer than `limit` costs the profile and not the
// caller; the error says which. The memory it needs is gone afterwards, and if
// the machine runs out of memory it is the first to go.
Result<stacks::StackProfile> FoldSpoolInChild(stacks::SpoolReader& spool,
                                              const FoldOptions& options,
                                              std::chrono::milliseconds limit);

// What `work` hands back, run in a child process that ends with its parent.
// `work` sees a copy of everything; other threads do not exist for it.
Result<std::string> BytesFromChild(const std::function<std::string()>& work,
                                   std::chrono::milliseconds limit);

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_FOLD_IN_CHILD_H_
