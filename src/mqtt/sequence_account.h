// SequenceAccount: which of the numbers 0, 1, 2, … came, came again, came late.
//
// Bounded: it remembers the last million numbers. What is older than that
// counts as a duplicate, because nothing that late was ever seen.
#ifndef EDGEWISE_MQTT_SEQUENCE_ACCOUNT_H_
#define EDGEWISE_MQTT_SEQUENCE_ACCOUNT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace edgewise::mqtt {

class SequenceAccount {
 public:
  enum class Kind { kNew, kLate, kAgain };

  // kLate is new as well, but a higher one came before.
  Kind Take(int64_t number) {
    if (number > highest_) {
      const int64_t first =
          highest_ + 1 > number - kWindow ? highest_ + 1 : number - kWindow + 1;
      for (int64_t each = first; each < number; ++each) {
        Bit(each) = false;
      }
      Bit(number) = true;
      highest_ = number;
      ++unique_;
      return Kind::kNew;
    }
    if (number <= highest_ - kWindow || Bit(number)) {
      ++duplicated_;
      return Kind::kAgain;
    }
    Bit(number) = true;
    ++unique_;
    ++reordered_;
    return Kind::kLate;
  }

  int64_t unique() const { return unique_; }
  int64_t duplicated() const { return duplicated_; }
  int64_t reordered() const { return reordered_; }
  int64_t highest() const { return highest_; }  // -1: nothing came

 private:
  static constexpr int64_t kWindow = int64_t{1} << 20;
  std::vector<bool>::reference Bit(int64_t number) {
    return seen_[static_cast<size_t>(number % kWindow)];
  }

  std::vector<bool> seen_ = std::vector<bool>(kWindow);
  int64_t highest_ = -1;
  int64_t unique_ = 0;
  int64_t duplicated_ = 0;
  int64_t reordered_ = 0;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_SEQUENCE_ACCOUNT_H_
