// AnswerCache: answers of a moment ago, for callers who ask the same again.
#ifndef EDGEWISE_SERVER_ANSWER_CACHE_H_
#define EDGEWISE_SERVER_ANSWER_CACHE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace edgewise {

// Thread-safe. Answers are kept for a quarter of a second, a few hundred at
// most: long enough for a crowd, too short for anybody to be misled.
class AnswerCache {
 public:
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
  mutable std::mutex mutex_;
  std::unordered_map<std::string, Kept> kept_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_ANSWER_CACHE_H_
