#include "server/jobs_page.h"

#include <cstddef>

// The page's bytes between two symbols; the build gives its path.
__asm__(
    ".pushsection .rodata\n"
    ".global edgewise_jobs_page_begin\n"
    "edgewise_jobs_page_begin:\n"
    ".incbin \"" EDGEWISE_JOBS_PAGE_PATH
    "\"\n"
    ".global edgewise_jobs_page_end\n"
    "edgewise_jobs_page_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char edgewise_jobs_page_begin[];
extern "C" const char edgewise_jobs_page_end[];

namespace edgewise {

std::string_view JobsPage() {
  return {
      edgewise_jobs_page_begin,
      static_cast<size_t>(edgewise_jobs_page_end - edgewise_jobs_page_begin)};
}

}  // namespace edgewise
