// The screen of `edgewise top`.
#ifndef EDGEWISE_LIVE_TOP_TEXT_H_
#define EDGEWISE_LIVE_TOP_TEXT_H_

#include <string>
#include <string_view>

#include "live/snapshot.h"
#include "report/table.h"

namespace edgewise::live {

// How the one who asks wants it, as text for the control socket and back.
std::string TopStyleText(const TextStyle& style);
TextStyle ParseTopStyle(std::string_view text);

// A line on the node, a table of apps, and what is wrong with them.
std::string TopText(const AgentSnapshot& snapshot, const TextStyle& style);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_TOP_TEXT_H_
