// The agent's live page, web/ bundled into one HTML page that the program
// carries inside.
#ifndef EDGEWISE_LIVE_LIVE_PAGE_H_
#define EDGEWISE_LIVE_LIVE_PAGE_H_

#include <string>

namespace edgewise::live {

std::string LivePage();

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_LIVE_PAGE_H_
