// AnswerCache: answers of a moment ago, for callers who ask the same again.
#ifndef EDGEWISE_SERVER_ANSWER_CACHE_H_
#define EDGEWISE_SERVER_ANSWER_CACHE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace edgewise {

// Thread-safe. A few hundred answers at most.
class AnswerCache {
 public:
  // Long enough for a crowd, too short for anybody to be misled.
  static constexpr int64_t kUsualLifeNs = 250'000'000;

  explicit AnswerCache(int64_t life_ns = kUsualLifeNs) : life_ns_(life_ns) {}

  // Null if there is none.
  std::shared_ptr<const std::string> Find(const std::string& question) const;
  // The second time a question comes within a moment its answer is kept; a
  // question that never comes again is not worth the memory.
  void Keep(const std::string& question,
            std::shared_ptr<const std::string> answer);

 private:
  struct Kept {
    int64_t made_ns = 0;
    std::shared_ptr<const std::string> answer;  // null: asked once
  };
  const int64_t life_ns_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Kept> kept_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_ANSWER_CACHE_H_
