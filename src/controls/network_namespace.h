// Network namespaces: which one this is, finding one again, and working in one.
#ifndef EDGEWISE_CONTROLS_NETWORK_NAMESPACE_H_
#define EDGEWISE_CONTROLS_NETWORK_NAMESPACE_H_

#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace edgewise {

// "net:[4026531840]", that of the calling thread; empty if unknown.
std::string CurrentNetworkNamespace();
// Whether a text has that form.
bool IsNetworkNamespaceName(std::string_view name);
// Whether this is the namespace in which the machine (or container) was
// started; true where that cannot be told.
bool IsHostNetworkNamespace();

// Looks for it here, among those that have a name (/run/netns) and those of all
// processes. Invalid if there is none: then it is gone, and all that was in it.
UniqueFd FindNetworkNamespace(const std::string& name);

// The calling thread is in another namespace for as long as this lives. A
// negative descriptor: it stays where it is.
class InNetworkNamespace {
 public:
  explicit InNetworkNamespace(int namespace_fd);
  ~InNetworkNamespace();
  InNetworkNamespace(const InNetworkNamespace&) = delete;
  InNetworkNamespace& operator=(const InNetworkNamespace&) = delete;
  // 0, or the errno of the way in.
  int error() const { return error_; }

 private:
  UniqueFd before_;
  int error_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_NETWORK_NAMESPACE_H_
