#include "experiments/watch_children.h"

#include <poll.h>

#include <algorithm>

namespace edgewise {

bool AllOver(const ChildSessions& children) {
  return std::all_of(children.begin(), children.end(),
                     [](const auto& child) { return child->over(); });
}

bool WaitForNews(SignalGuard& signals, const ChildSessions& children,
                 int most_ms) {
  std::vector<pollfd> waiting{{signals.fd(), POLLIN, 0}};
  for (const auto& child : children) {
    waiting.push_back({child->fd(), POLLIN, 0});  // -1 is passed over
  }
  if (::poll(waiting.data(), waiting.size(), most_ms) <= 0) {
    return false;
  }
  const bool signalled = signals.Next().has_value();
  if (signalled) {
    for (const auto& child : children) {
      child->Stop();
    }
  }
  for (size_t i = 0; i < children.size(); ++i) {
    if (waiting[i + 1].revents != 0) {
      children[i]->Read();
    }
  }
  return signalled;
}

}  // namespace edgewise
