// A curve as tables, for the terminal and for pages.
#ifndef EDGEWISE_REPORT_CURVE_TABLES_H_
#define EDGEWISE_REPORT_CURVE_TABLES_H_

#include <span>
#include <string>
#include <vector>

#include "experiments/curve.h"
#include "report/table.h"

namespace edgewise {

// Of the items: throughput and latency; of the program: jitter, CPU, memory and
// energy.
inline constexpr FigureKind kItemFigures[] = {
    FigureKind::kThroughput, FigureKind::kP50, FigureKind::kP95,
    FigureKind::kP99};
inline constexpr FigureKind kResourceFigures[] = {
    FigureKind::kJitter, FigureKind::kCpu, FigureKind::kMemory,
    FigureKind::kEnergy};

// One row a point: "45.2 [44.8–45.9]", durations in one unit. Figures that no
// point has are left out.
Table CurveFigureTable(const Curve& curve, std::span<const FigureKind> kinds);
// Speed-up and efficiency against the base; no rows where nothing scales.
Table SpeedUpTable(const Curve& curve);
// A value of a knob against its first one, all else equal.
Table ValueTable(const Curve& curve);
// Parameters of the fitted laws with their goodness of fit.
Table LawTable(const Curve& curve);

// A sentence on what MLPerf asks for where --load was varied; else empty.
std::string TailClaimNote(const Curve& curve);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CURVE_TABLES_H_
