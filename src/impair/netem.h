// The kernel's netem in a network namespace made for the purpose.
#ifndef EDGEWISE_IMPAIR_NETEM_H_
#define EDGEWISE_IMPAIR_NETEM_H_

#include <optional>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"
#include "controls/netem_queue.h"
#include "impair/impairment.h"

namespace edgewise {

// What netem is told; disconnects are none of its business.
NetemValues NetemValuesFrom(const Impairment& impairment);

// Whether netem can be had here, tried in a namespace of its own that is gone
// afterwards. kUnsupported if the kernel has none, kPermission if this user may
// not; the sentence says what would help.
Result<void> CheckNetem();

// A network namespace whose loopback carries packets of Ethernet's size through
// a netem queue, each direction once. It is nobody's but ours, so that nothing
// else is impaired, and it is gone when this and all sockets in it are.
class NetemNamespace {
 public:
  // Errors as CheckNetem.
  static Result<NetemNamespace> Make(const Impairment& impairment);

  int fd() const { return namespace_.get(); }
  // Of both directions together; nullopt if the kernel does not tell.
  std::optional<NetemCounts> Counts() const;

 private:
  explicit NetemNamespace(UniqueFd inside) : namespace_(std::move(inside)) {}
  UniqueFd namespace_;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_NETEM_H_
