// LineFeed: lines of a text that comes in pieces.
#ifndef EDGEWISE_STACKS_LINE_FEED_H_
#define EDGEWISE_STACKS_LINE_FEED_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace edgewise::stacks {

// Cuts pieces of any size into lines without their ends ("\n" or "\r\n").
// Lines longer than kMaxLineBytes are left out and counted, so that a file
// without line ends takes no memory. Lines within one piece are not copied.
class LineFeed {
 public:
  static constexpr size_t kMaxLineBytes = size_t{1} << 20;

  // Calls take(line) for every line that ends in this piece.
  template <typename Take>
  void Feed(std::string_view piece, Take take) {
    while (!piece.empty()) {
      const void* end = std::memchr(piece.data(), '\n', piece.size());
      if (end == nullptr) {
        Keep(piece);
        return;
      }
      const auto length =
          static_cast<size_t>(static_cast<const char*>(end) - piece.data());
      if (begun_.empty() && !too_long_) {
        Give(piece.substr(0, length), take);
      } else {
        Keep(piece.substr(0, length));
        Finish(take);
      }
      piece.remove_prefix(length + 1);
    }
  }
  // The last line, where the text does not end with a line end.
  template <typename Take>
  void End(Take take) {
    if (!begun_.empty() || too_long_) {
      Finish(take);
    }
  }
  int64_t too_long_lines() const { return too_long_lines_; }

 private:
  void Keep(std::string_view part) {
    too_long_ = too_long_ || begun_.size() + part.size() > kMaxLineBytes;
    if (too_long_) {
      begun_.clear();
    } else {
      begun_.append(part);
    }
  }
  template <typename Take>
  void Finish(Take take) {
    if (too_long_) {
      ++too_long_lines_;
    } else {
      Give(begun_, take);
    }
    begun_.clear();
    too_long_ = false;
  }
  template <typename Take>
  void Give(std::string_view line, Take take) {
    if (line.size() > kMaxLineBytes) {
      ++too_long_lines_;
      return;
    }
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    take(line);
  }

  std::string begun_;  // a line whose end has not come yet
  bool too_long_ = false;
  int64_t too_long_lines_ = 0;
};

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_LINE_FEED_H_
