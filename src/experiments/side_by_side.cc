#include "experiments/side_by_side.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "experiments/watch_children.h"
#include "store/store.h"

namespace edgewise {
namespace {

// Watches children and signals.
class Watch {
 public:
  Watch(SignalGuard& signals, ChildSessions& children)
      : signals_(signals), children_(children) {}

  // Until `done`, or a signal.
  void Until(const std::function<bool()>& done) {
    while (!cancelled_ && !done()) {
      WaitForNews();
    }
  }
  // Until all have ended; a signal is noted, and asks them to.
  void UntilAllOver() {
    while (!AllOver(children_)) {
      WaitForNews();
    }
  }
  bool cancelled() const { return cancelled_; }

 private:
  void WaitForNews() {
    cancelled_ = edgewise::WaitForNews(signals_, children_) || cancelled_;
  }

  SignalGuard& signals_;
  ChildSessions& children_;
  bool cancelled_ = false;
};

Result<std::vector<Run>> Load(const Store& store,
                              const std::vector<std::string>& ids) {
  std::vector<Run> runs;
  for (const std::string& id : ids) {
    auto run = store.Find(id);
    if (!run) {
      return run.error();
    }
    runs.push_back(std::move(*run));
  }
  return runs;
}

Result<SideBySideOutcome> Tell(const SideBySideRequest& request,
                               const ChildSessions& neighbours,
                               const ChildSession* subject) {
  SideBySideOutcome outcome;
  auto store = Store::Open(request.home);
  if (!store) {
    return store.error();
  }
  for (const auto& neighbour : neighbours) {
    auto runs = Load(*store, neighbour->run_ids());
    if (!runs) {
      return runs.error();
    }
    outcome.neighbours.push_back({std::move(*runs), neighbour->failure()});
  }
  if (subject != nullptr) {
    auto runs = Load(*store, subject->run_ids());
    if (!runs) {
      return runs.error();
    }
    if (!runs->empty()) {
      outcome.subject = std::move(runs->front());
    }
    outcome.failure = subject->failure();
  } else {
    outcome.failure = "it was not started, because a neighbour failed";
  }
  return outcome;
}

}  // namespace

bool SideBySideOutcome::complete() const {
  return subject && failure.empty() && !cancelled &&
         std::all_of(neighbours.begin(), neighbours.end(),
                     [](const auto& each) { return each.failure.empty(); });
}

Result<SideBySideOutcome> RunSideBySide(const SideBySideRequest& request) {
  SignalGuard signals;
  ChildSessions children;
  Watch watch(signals, children);
  for (const SessionSettings& neighbour : request.neighbours) {
    auto child =
        ChildSession::Start(request.home, {neighbour, request.settle_ns, true});
    if (!child) {
      return child.error();
    }
    children.push_back(std::move(*child));
  }
  watch.Until([&children] {
    return std::all_of(children.begin(), children.end(), [](const auto& child) {
      return child->ready() || child->over();
    });
  });
  const bool beside_all =
      std::none_of(children.begin(), children.end(),
                   [](const auto& child) { return child->over(); });
  ChildSession* subject = nullptr;
  if (beside_all && !watch.cancelled()) {
    auto child = ChildSession::Start(request.home, {request.subject, 0, false});
    if (!child) {
      return child.error();
    }
    subject = child->get();
    children.push_back(std::move(*child));
    watch.Until([subject] { return subject->over(); });
  }
  for (const auto& child : children) {
    child->Stop();
  }
  watch.UntilAllOver();
  ChildSessions only_neighbours;
  for (auto& child : children) {
    if (child.get() != subject) {
      only_neighbours.push_back(std::move(child));
    }
  }
  auto outcome = Tell(request, only_neighbours, subject);
  if (outcome) {
    outcome->cancelled = watch.cancelled();
  }
  return outcome;
}

}  // namespace edgewise
