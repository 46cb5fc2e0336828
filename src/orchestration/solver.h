// Solver: linear programs, also in whole numbers.
//
// Its one implementation is CBC in a module of its own
// (libedgewise-solver.so), so that edgewise itself links no solver.
#ifndef EDGEWISE_ORCHESTRATION_SOLVER_H_
#define EDGEWISE_ORCHESTRATION_SOLVER_H_

#include <memory>
#include <vector>

#include "base/result.h"

namespace edgewise::orchestration {

// Maximise Σ gain·x with Σ element·x ≤ limit in each row and 0 ≤ x ≤ most.
struct LinearProgram {
  struct Entry {
    int row;
    double element;
  };
  struct Column {
    double gain = 0;
    double most = 0;
    std::vector<Entry> entries;  // each row at most once
  };
  std::vector<double> limits;  // by row
  std::vector<Column> columns;
};

struct ProgramAnswer {
  bool optimal = false;        // else what was found within the time
  std::vector<double> x;       // empty: nothing was found
  std::vector<double> prices;  // of rows, ≥ 0; empty for whole numbers
};

// Not thread-safe.
class Solver {
 public:
  virtual ~Solver() = default;
  virtual ProgramAnswer SolveContinuous(const LinearProgram& program,
                                        double seconds) = 0;
  // All x in {0, 1, …, most}.
  virtual ProgramAnswer SolveWhole(const LinearProgram& program,
                                   double seconds) = 0;
};

// Loads the module on first use.
Result<std::unique_ptr<Solver>> MakeSolver();

// The name under which the module exports its factory, and its type; the name
// changes with the interface above.
inline constexpr char kSolverFactory[] = "edgewise_solver_1";
using SolverFactory = Solver* (*)();

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_SOLVER_H_
