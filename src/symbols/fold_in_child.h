// FoldSpool in processes of its own.
#ifndef EDGEWISE_SYMBOLS_FOLD_IN_CHILD_H_
#define EDGEWISE_SYMBOLS_FOLD_IN_CHILD_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"
#include "stacks/profile.h"
#include "stacks/spool.h"
#include "symbols/fold_spool.h"

namespace edgewise::symbols {

// Like FoldSpool, on several cores if there are many samples; and a file that
// crashes a library, is cut short while it is read, or keeps it busy for longer
// than `limit` costs the profile and not the caller; the error says which. The
// memory it needs is gone afterwards, and if the machine runs out of memory it
// is the first to go.
Result<stacks::StackProfile> FoldSpoolInChild(stacks::SpoolReader& spool,
                                              const FoldOptions& options,
                                              std::chrono::milliseconds limit);

// What a function hands back, run in a child process that ends with its parent.
// The function sees a copy of everything; other threads do not exist for it.
class ChildWork {
 public:
  static Result<std::unique_ptr<ChildWork>> Start(
      const std::function<std::string()>& work);
  ChildWork(const ChildWork&) = delete;
  ChildWork& operator=(const ChildWork&) = delete;
  // Ends the child if it still works.
  ~ChildWork();

  // Waits for the result, until a moment of CLOCK_MONOTONIC; once.
  Result<std::string> Finish(int64_t deadline_ns);

 private:
  ChildWork(pid_t child, UniqueFd in) : child_(child), in_(std::move(in)) {}
  pid_t child_;
  UniqueFd in_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_FOLD_IN_CHILD_H_
