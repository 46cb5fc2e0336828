#include "report/viewer.h"

#include <cassert>

// The page's bytes between two symbols; the build gives its path.
__asm__(
    ".pushsection .rodata\n"
    ".global edgewise_viewer_begin\n"
    "edgewise_viewer_begin:\n"
    ".incbin \"" EDGEWISE_VIEWER_PATH
    "\"\n"
    ".global edgewise_viewer_end\n"
    "edgewise_viewer_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char edgewise_viewer_begin[];
extern "C" const char edgewise_viewer_end[];

namespace edgewise {
namespace {

// Where the bundled page wants its document.
constexpr std::string_view kPlace = "EDGEWISE_DOCUMENT";

}  // namespace

std::string ViewerPage(std::string_view json) {
  const std::string_view viewer(
      edgewise_viewer_begin,
      static_cast<size_t>(edgewise_viewer_end - edgewise_viewer_begin));
  const size_t place = viewer.rfind(kPlace);
  assert(place != std::string_view::npos);
  std::string page;
  page.reserve(viewer.size() + json.size() + json.size() / 16);
  page += viewer.substr(0, place);
  for (const char c : json) {
    // In JSON "<" stands in strings only, where \u003c means the same.
    if (c == '<') {
      page += "\\u003c";
    } else {
      page += c;
    }
  }
  page += viewer.substr(place + kPlace.size());
  return page;
}

}  // namespace edgewise
