// Notes: sentences for the user about a profile, each told once, not too many.
#ifndef EDGEWISE_SYMBOLS_NOTES_H_
#define EDGEWISE_SYMBOLS_NOTES_H_

#include <set>
#include <string>
#include <vector>

#include "base/units.h"

namespace edgewise::symbols {

class Notes {
 public:
  void Add(const std::string& sentence) {
    if (told_.size() < kMaxRemembered && told_.insert(sentence).second &&
        sentences_.size() < kMax - 1) {
      sentences_.push_back(sentence);
    }
  }
  // At most 20; the last one says how many there are besides.
  std::vector<std::string> Take() {
    if (told_.size() > sentences_.size()) {
      sentences_.push_back(
          FormatCount(static_cast<int64_t>(told_.size() - sentences_.size()),
                      "more note") +
          " of this kind.");
    }
    return std::move(sentences_);
  }

 private:
  static constexpr size_t kMax = 20;
  static constexpr size_t kMaxRemembered = 10'000;

  std::set<std::string> told_;
  std::vector<std::string> sentences_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_NOTES_H_
