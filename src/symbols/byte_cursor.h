// ByteCursor: walks over bytes that nobody vouches for.
//
// The first read beyond the end turns ok() false, and every read from then on
// gives zero or nothing: callers check once, after a group of reads. Values
// are in this machine's byte order, as ELF files it can run are.
#ifndef EDGEWISE_SYMBOLS_BYTE_CURSOR_H_
#define EDGEWISE_SYMBOLS_BYTE_CURSOR_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace edgewise::symbols {

class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes, size_t at = 0)
      : bytes_(bytes), at_(at), ok_(at <= bytes.size()) {}

  template <typename T>
  T Get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const std::string_view bytes = Take(sizeof(T));
    if (ok_) {
      std::memcpy(&value, bytes.data(), sizeof(T));
    }
    return value;
  }
  std::string_view Take(size_t size) {
    if (!ok_ || size > bytes_.size() - at_) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, size);
    at_ += size;
    return taken;
  }
  // LEB128; bits beyond the 64th are dropped.
  uint64_t Uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = Get<uint8_t>();
      if (shift < 64) {
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      }
      if ((byte & 0x80) == 0) {
        return value;
      }
    }
  }
  int64_t Sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = Get<uint8_t>();
      if (shift < 64) {
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      }
      if ((byte & 0x80) == 0) {
        if ((byte & 0x40) != 0 && shift + 7 < 64) {
          value |= ~uint64_t{0} << (shift + 7);
        }
        return static_cast<int64_t>(value);
      }
    }
  }
  // Up to the next NUL, which is skipped.
  std::string_view Text() {
    const size_t end = ok_ ? bytes_.find('\0', at_) : std::string_view::npos;
    if (end == std::string_view::npos) {
      ok_ = false;
      return {};
    }
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }

  bool ok() const { return ok_; }
  size_t at() const { return at_; }
  bool done() const { return !ok_ || at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  size_t at_;
  bool ok_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_BYTE_CURSOR_H_
