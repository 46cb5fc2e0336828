#include "datasets/archive/unpack_budget.h"

#include "base/units.h"

namespace edgewise {

Error RefusedArchive(std::string_view shown, std::string_view why) {
  return {ErrorCode::kCorrupt,
          std::string(shown) +
              " is refused, nothing of it is kept: " + std::string(why)};
}

Error NoRoomFor(std::string_view shown) {
  return {ErrorCode::kIo,
          std::string(shown) +
              " does not fit on the disk when unpacked: free some room, or "
              "set XDG_CACHE_HOME to a folder that has it"};
}

Result<void> UnpackBudget::TakeEntry() {
  if (++entries_ > limits_.max_files) {
    return RefusedArchive(
        shown_, "it has more than " + FormatCount(limits_.max_files, "file"));
  }
  return {};
}

Result<void> UnpackBudget::TakeBytes(int64_t bytes) {
  if (bytes > limits_.max_bytes - bytes_) {
    return RefusedArchive(
        shown_, "it is larger than " +
                    FormatBytes(static_cast<double>(limits_.max_bytes)) +
                    " when unpacked");
  }
  if (bytes > limits_.room_bytes - bytes_) {
    return NoRoomFor(shown_);
  }
  bytes_ += bytes;
  if (bytes_ > limits_.ratio_from_bytes &&
      bytes_ / limits_.max_ratio > archive_bytes_) {
    return RefusedArchive(
        shown_, "it is more than " + std::to_string(limits_.max_ratio) +
                    " times as large when unpacked, as only archives "
                    "that are meant to fill disks are");
  }
  return {};
}

}  // namespace edgewise
