// One program measured while others run beside it, all of them measured.
//
// The room `experiments` knows how to arrange many Runs and what they say
// together. It must not know how anything is shown.
#ifndef EDGEWISE_EXPERIMENTS_SIDE_BY_SIDE_H_
#define EDGEWISE_EXPERIMENTS_SIDE_BY_SIDE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "sessions/settings.h"
#include "store/run.h"

namespace edgewise {

struct SideBySideRequest {
  std::filesystem::path home;
  SessionSettings subject;
  std::vector<SessionSettings> neighbours;
  // How long neighbours run before the subject starts.
  int64_t settle_ns = kNsPerSecond / 2;
};

struct NeighbourOutcome {
  std::vector<Run> runs;  // more than one if it ended early
  std::string failure;    // why it gave up; empty if it did not
  // Times it had ended before the subject did, and was started again.
  int restarts() const {
    return runs.empty() ? 0 : static_cast<int>(runs.size()) - 1;
  }
};

struct SideBySideOutcome {
  std::optional<Run> subject;  // nullopt: it never ran
  std::string failure;         // of the subject: one sentence; empty if none
  std::vector<NeighbourOutcome> neighbours;  // as requested
  bool cancelled = false;

  // The subject ran to its end beside all its neighbours.
  bool complete() const;
};

// Starts the neighbours, the subject once all have settled, and ends the
// neighbours when the subject is over. A program that fails is part of the
// outcome; an error is one of edgewise itself. Signals cancel it in order.
//
// No Store may be open in this process meanwhile (see child_session.h).
Result<SideBySideOutcome> RunSideBySide(const SideBySideRequest& request);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_SIDE_BY_SIDE_H_
