// Acceptor: takes clients from a listening socket, also when descriptors run
// out: then the client is refused instead of being kept waiting, which epoll
// would go on telling of.
#ifndef EDGEWISE_IMPAIR_ACCEPTOR_H_
#define EDGEWISE_IMPAIR_ACCEPTOR_H_

#include <cstdint>
#include <optional>

#include "base/unique_fd.h"

namespace edgewise {

class Acceptor {
 public:
  explicit Acceptor(UniqueFd listener);

  // `epoll_fd` tells of clients with this data from now on.
  bool WatchBy(int epoll_fd, uint64_t data);
  // The next client; nullopt if there is none, or after a failure that only
  // time can mend. Clients that had to be refused are added to `refused`.
  std::optional<UniqueFd> Next(int64_t now_ns, int64_t* refused);
  // After a failure: when Resume() is of use.
  std::optional<int64_t> again_ns() const { return again_ns_; }
  void Resume();
  void Close() { listener_.reset(); }

 private:
  UniqueFd Take();
  // Takes a client with the reserve, only to reset it; false if there is none.
  bool Refuse(int64_t* refused);
  void Watch(bool watched);

  UniqueFd listener_;
  UniqueFd reserve_;  // given up for a moment when descriptors run out
  int epoll_fd_ = -1;
  uint64_t data_ = 0;
  std::optional<int64_t> again_ns_;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_ACCEPTOR_H_
