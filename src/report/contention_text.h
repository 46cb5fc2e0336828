// How well response times beside neighbours are predicted: as text, JSON and
// a picture.
#ifndef EDGEWISE_REPORT_CONTENTION_TEXT_H_
#define EDGEWISE_REPORT_CONTENTION_TEXT_H_

#include <string>
#include <vector>

#include "contention/evaluate.h"
#include "report/table.h"

namespace edgewise {

// A row for each predictor and figure.
Table ContentionErrorTable(
    const std::vector<contention::PredictorErrors>& predictors);

std::string ContentionText(const contention::ContentionEvaluation& evaluation,
                           const contention::Campaign& campaign,
                           const TextStyle& style);
std::string ContentionJson(const contention::ContentionEvaluation& evaluation,
                           const contention::Campaign& campaign);

// Predicted against measured p95, a panel for each predictor.
std::string ContentionPicture(
    const contention::ContentionEvaluation& evaluation);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CONTENTION_TEXT_H_
