#include "server/predict_page.h"

#include <cstddef>

// The page's bytes between two symbols; the build gives its path.
__asm__(
    ".pushsection .rodata\n"
    ".global edgewise_predict_page_begin\n"
    "edgewise_predict_page_begin:\n"
    ".incbin \"" EDGEWISE_PREDICT_PAGE_PATH
    "\"\n"
    ".global edgewise_predict_page_end\n"
    "edgewise_predict_page_end:\n"
    ".byte 0\n"
    ".popsection\n");
extern "C" const char edgewise_predict_page_begin[];
extern "C" const char edgewise_predict_page_end[];

namespace edgewise {

std::string_view PredictPage() {
  return {edgewise_predict_page_begin,
          static_cast<size_t>(edgewise_predict_page_end -
                              edgewise_predict_page_begin)};
}

}  // namespace edgewise
