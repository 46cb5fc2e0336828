// What a search for least resources does and found, as text, JSON and a page.
#ifndef EDGEWISE_REPORT_FIT_TEXT_H_
#define EDGEWISE_REPORT_FIT_TEXT_H_

#include <string>
#include <vector>

#include "experiments/least_resources.h"
#include "report/table.h"

namespace edgewise {

// Whole sentences: the answer first, then the saving, the confirmation, and
// what happened on the way.
std::vector<std::string> FitSentences(const FitAnswer& answer,
                                      const FitRequest& request);

// The amounts as a table: lower, target, upper.
Table FitTable(const FitAnswer& answer);
// For a container's manifest: "resources:\n  requests: …"; empty without an
// answer.
std::string KubernetesText(const FitAnswer& answer);

// What `fit` prints at the end.
std::string FitText(const FitAnswer& answer, const FitRequest& request,
                    const TextStyle& style);
// docs/fit.md.
std::string FitJson(const FitAnswer& answer, const FitRequest& request,
                    const std::string& group);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_FIT_TEXT_H_
