// What the store makes of SampleRun(), and of its repeats and rivals.
#ifndef EDGEWISE_TESTS_REPORT_SAMPLE_ANALYSIS_H_
#define EDGEWISE_TESTS_REPORT_SAMPLE_ANALYSIS_H_

#include "store/analysis.h"

namespace edgewise {

RunAnalysis SampleAnalysis();
GroupAnalysis SampleGroup();
// Five interleaved Runs a side: B is faster, but larger.
RunComparison SampleComparison();

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_REPORT_SAMPLE_ANALYSIS_H_
