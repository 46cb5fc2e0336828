// Waiting for sessions in processes of their own, and for signals.
#ifndef EDGEWISE_EXPERIMENTS_WATCH_CHILDREN_H_
#define EDGEWISE_EXPERIMENTS_WATCH_CHILDREN_H_

#include <memory>
#include <vector>

#include "experiments/child_session.h"
#include "sessions/signal_guard.h"

namespace edgewise {

using ChildSessions = std::vector<std::unique_ptr<ChildSession>>;

bool AllOver(const ChildSessions& children);

// Waits for news, at most so long (-1: without end), and takes it. True after a
// signal: then all of them were asked to end.
bool WaitForNews(SignalGuard& signals, const ChildSessions& children,
                 int most_ms = -1);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_WATCH_CHILDREN_H_
