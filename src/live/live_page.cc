#include "live/live_page.h"

// The page's bytes between two symbols; the build gives its path.
__asm__(
    ".pushsection .rodata\n"
    ".global edgewise_live_page_begin\n"
    "edgewise_live_page_begin:\n"
    ".incbin \"" EDGEWISE_LIVE_PAGE_PATH
    "\"\n"
    ".global edgewise_live_page_end\n"
    "edgewise_live_page_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char edgewise_live_page_begin[];
extern "C" const char edgewise_live_page_end[];

namespace edgewise::live {

std::string LivePage() {
  return {edgewise_live_page_begin, edgewise_live_page_end};
}

}  // namespace edgewise::live
