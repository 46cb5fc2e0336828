// Whether a live app still does what its card says.
//
// A mark needs evidence that chance does not explain: for latency the lower
// end of the live interval lies above what the card allows. Marks go when the
// evidence does.
#ifndef EDGEWISE_LIVE_ANOMALY_H_
#define EDGEWISE_LIVE_ANOMALY_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "cards/card.h"
#include "live/app.h"

namespace edgewise::live {

// Above what a card says by more than this share, an app's memory or CPU use
// is marked.
inline constexpr double kResourceMargin = 0.2;
// Memory that grows is marked if it would pass the card's within this time.
inline constexpr double kGrowthHorizon_s = 3600;
// Spans of a minute below which nothing is said: the first ones of an app are
// often slow, and all alike.
inline constexpr uint64_t kLeastSpans = 30;

// The ways in which the app has left its card, none if it has not.
// `cpu_percent` is its use of one core over a minute or so.
std::vector<Anomaly> CompareWithCard(const LiveApp& app, const Card& card,
                                     std::optional<double> cpu_percent,
                                     int64_t now_ns);

// The cards of a folder (*.yaml, *.yml) by the name of their app. A card that
// cannot be read is an error that names it.
Result<std::map<std::string, Card>> ReadCards(
    const std::filesystem::path& folder);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_ANOMALY_H_
