// Retries: how often and when a server that failed is asked again.
#ifndef EDGEWISE_DATASETS_RETRY_H_
#define EDGEWISE_DATASETS_RETRY_H_

#include <chrono>
#include <functional>

#include "base/result.h"
#include "fetch/client.h"

namespace edgewise {

// Whether the answer says that another try may do better.
bool MayRecover(const fetch::Response& response);
bool MayRecover(const Error& error);

// Without a server there is no dataset; with a copy of what it had last, one
// more try will do.
inline constexpr int kTries = 5;
inline constexpr int kTriesWithCopy = 2;

class Retries {
 public:
  // `pause` is the first one; each is twice the one before. So many tries that
  // bring nothing are enough.
  explicit Retries(std::chrono::milliseconds pause, int tries)
      : first_pause_(pause), pause_(pause), tries_(tries) {}

  // After a try that failed: false when it is enough. Waits otherwise, longer
  // where the answer asks for it (Retry-After), unless `go_on` says no.
  bool Again(const fetch::Response* answer, const std::function<bool()>& go_on);
  // After a try that failed but brought some of what was asked for.
  void Progressed();

 private:
  std::chrono::milliseconds first_pause_;
  std::chrono::milliseconds pause_;
  int tries_;
  int failures_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_RETRY_H_
