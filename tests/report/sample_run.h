// A fixed Run, as a camera program on a small board would leave it.
#ifndef EDGEWISE_TESTS_REPORT_SAMPLE_RUN_H_
#define EDGEWISE_TESTS_REPORT_SAMPLE_RUN_H_

#include "store/run.h"

namespace edgewise {

Run SampleRun();
// What is left where next to nothing could be measured.
Run BareRun();

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_REPORT_SAMPLE_RUN_H_
