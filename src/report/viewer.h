// The viewer of reports, web/ bundled into one HTML page that the program
// carries inside.
#ifndef EDGEWISE_REPORT_VIEWER_H_
#define EDGEWISE_REPORT_VIEWER_H_

#include <string>
#include <string_view>

namespace edgewise {

// The page that shows `json`, a document of page_data.h. Whatever texts the
// document holds, they stay data: none can end the element they are in.
std::string ViewerPage(std::string_view json);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_VIEWER_H_
