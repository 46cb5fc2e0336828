#include "server/answer_cache.h"

#include "base/clock.h"

namespace edgewise {
namespace {

constexpr size_t kMost = 256;

}  // namespace

std::shared_ptr<const std::string> AnswerCache::Find(
    const std::string& question) const {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(question);
  return found != kept_.end() &&
                 MonotonicNs() - found->second.made_ns <= life_ns_
             ? found->second.answer
             : nullptr;
}

void AnswerCache::Keep(const std::string& question,
                       std::shared_ptr<const std::string> answer) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = kept_.try_emplace(question);
  place->second.made_ns = MonotonicNs();
  if (!is_new) {
    place->second.answer = std::move(answer);
  } else if (kept_.size() > kMost) {
    kept_.clear();
  }
}

}  // namespace edgewise
