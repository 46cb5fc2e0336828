// A search for least resources as a page with a chart.
#ifndef EDGEWISE_REPORT_FIT_PAGE_H_
#define EDGEWISE_REPORT_FIT_PAGE_H_

#include <string>
#include <vector>

#include "experiments/least_resources.h"

namespace edgewise {

// One HTML file: the answer, the manifest for Kubernetes, each target's figure
// over the CPU it was given, and every Run.
std::string FitHtml(const FitAnswer& answer, const FitRequest& request,
                    const std::vector<std::string>& command);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_FIT_PAGE_H_
