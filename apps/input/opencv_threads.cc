#include "input/opencv_threads.h"

#include <tbb/global_control.h>

#include <cstddef>
#include <memory>
#include <opencv2/core/utility.hpp>

namespace edgewise::apps {

void SetOpenCvThreads(int threads) {
  // Debian's OpenCV works through TBB, which by itself starts no more threads
  // than there are cores, whatever OpenCV is told. Holds while it exists.
  static std::unique_ptr<tbb::global_control> limit;
  limit = std::make_unique<tbb::global_control>(
      tbb::global_control::max_allowed_parallelism,
      static_cast<size_t>(threads));
  cv::setNumThreads(threads);
}

}  // namespace edgewise::apps
