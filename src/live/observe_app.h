// What a controller sees of one live app.
#ifndef EDGEWISE_LIVE_OBSERVE_APP_H_
#define EDGEWISE_LIVE_OBSERVE_APP_H_

#include <cstdint>
#include <optional>
#include <string>

#include "cards/card.h"
#include "control/observation.h"
#include "live/app.h"

namespace edgewise::live {

// The figure that a goal is about, over about two seconds, and how many a
// second there were of it.
struct GoalFigures {
  std::optional<double> measured;  // in the unit of the goal's bound
  std::optional<double> items_per_s;
};
GoalFigures FiguresFor(const control::Goal& goal, const LiveApp& app,
                       int64_t now_ns);

// What the card says that the goal takes; nullopt if it does not say.
std::optional<double> CardCores(const Card& card,
                                const std::optional<control::Goal>& goal);

// Why nothing may be changed about an app; empty if it may.
std::string WhyOnlyObserved(const LiveApp& app);

control::AppObservation ObserveApp(const LiveApp& app,
                                   const control::AppGoal& goal,
                                   const Card* card, int64_t now_ns);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_OBSERVE_APP_H_
