// The matrix of a contention experiment: rows suffer, columns are beside.
#ifndef EDGEWISE_REPORT_CONTEND_MATRIX_H_
#define EDGEWISE_REPORT_CONTEND_MATRIX_H_

#include <string>
#include <vector>

#include "experiments/contend.h"
#include "report/table.h"

namespace edgewise {

struct ContendMatrix {
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  // cells[row][column]; nullptr: not measured. Points into the report.
  std::vector<std::vector<const SlowDown*>> cells;
};

// All deployments with one neighbour. The report must outlive it.
ContendMatrix MatrixOf(const ContendReport& report);

// How bad a slow-down is, from 0 (none to speak of) to 4 (twice as long).
int HeatOf(double slow_down);

// Whether `a` comes before `b` in tables: programs first, as they came, then
// stressors by kind and dial.
bool NeighbourOrder(const std::string& a, const std::string& b);

// A heat map of p50: shades by character, and colours where the style has
// them. Turned round where it is too wide. Empty without columns.
std::string MatrixText(const ContendMatrix& matrix, const TextStyle& style);
std::string MatrixSvg(const ContendMatrix& matrix);
// p50 of one app against the dial of each stressor, with intervals; empty if
// none was measured.
std::string SensitivitySvg(const ContendReport& report, const std::string& app);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CONTEND_MATRIX_H_
