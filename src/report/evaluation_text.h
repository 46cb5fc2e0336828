// How well latencies are predicted, for people and for programs.
#ifndef EDGEWISE_REPORT_EVALUATION_TEXT_H_
#define EDGEWISE_REPORT_EVALUATION_TEXT_H_

#include <string>
#include <vector>

#include "prediction/evaluate.h"
#include "report/table.h"

namespace edgewise {

// A row a situation: errors, ranks, picks and intervals.
Table MetricsTable(const std::vector<NamedMetrics>& rows);

std::string EvaluationText(const Evaluation& evaluation,
                           const LatencyData& data, const TextStyle& style);
std::string EvaluationJson(const Evaluation& evaluation,
                           const LatencyData& data);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EVALUATION_TEXT_H_
