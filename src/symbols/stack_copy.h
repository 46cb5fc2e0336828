// StackCopy: the part of a thread's stack that was copied with its sample.
#ifndef EDGEWISE_SYMBOLS_STACK_COPY_H_
#define EDGEWISE_SYMBOLS_STACK_COPY_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace edgewise::symbols {

class StackCopy {
 public:
  // `bytes` lay at `start` and must outlive this.
  StackCopy(uint64_t start, std::string_view bytes)
      : start_(start), bytes_(bytes) {}

  // The eight bytes at `address`; nullopt where they were not copied.
  std::optional<uint64_t> Read(uint64_t address) {
    const uint64_t at = address - start_;
    uint64_t value = 0;
    if (address >= start_ && bytes_.size() >= sizeof(value) &&
        at <= bytes_.size() - sizeof(value)) {
      std::memcpy(&value, bytes_.data() + at, sizeof(value));
      return value;
    }
    read_beyond_ =
        read_beyond_ || (address >= start_ && at < kLargestStackBytes);
    return std::nullopt;
  }
  // Whether something above the copied part was asked for that may well be on
  // the same stack.
  bool read_beyond() const { return read_beyond_; }

 private:
  static constexpr uint64_t kLargestStackBytes = uint64_t{64} << 20;

  uint64_t start_;
  std::string_view bytes_;
  bool read_beyond_ = false;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_STACK_COPY_H_
