// UnpackBudget: how much more an archive may become.
#ifndef EDGEWISE_DATASETS_ARCHIVE_UNPACK_BUDGET_H_
#define EDGEWISE_DATASETS_ARCHIVE_UNPACK_BUDGET_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "datasets/unpack.h"

namespace edgewise {

// The sentence for an archive that would do harm.
Error RefusedArchive(std::string_view shown, std::string_view why);
// The sentence for one that the disk has no room for.
Error NoRoomFor(std::string_view shown);

// Asked before anything is anywhere: nothing grows beyond the limits.
class UnpackBudget {
 public:
  UnpackBudget(std::string_view shown, const UnpackLimits& limits,
               int64_t archive_bytes)
      : shown_(shown), limits_(limits), archive_bytes_(archive_bytes) {}

  Result<void> TakeEntry();
  Result<void> TakeBytes(int64_t bytes);
  int64_t bytes() const { return bytes_; }  // taken so far

 private:
  std::string shown_;
  UnpackLimits limits_;
  int64_t archive_bytes_;
  int64_t bytes_ = 0;
  int64_t entries_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_ARCHIVE_UNPACK_BUDGET_H_
