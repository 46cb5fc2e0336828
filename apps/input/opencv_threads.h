// How many threads OpenCV uses.
#ifndef EDGEWISE_APPS_INPUT_OPENCV_THREADS_H_
#define EDGEWISE_APPS_INPUT_OPENCV_THREADS_H_

namespace edgewise::apps {

// For the whole process, also if that is more than there are cores: what too
// many threads cost is one of the things to measure.
void SetOpenCvThreads(int threads);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_INPUT_OPENCV_THREADS_H_
