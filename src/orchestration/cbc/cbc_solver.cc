// The Solver over CLP's simplex and CBC's branch and cut.
#include <CbcModel.hpp>
#include <CbcSolver.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <string>

#include "orchestration/solver.h"

namespace edgewise::orchestration {
namespace {

struct Arrays {
  explicit Arrays(const LinearProgram& program) {
    starts.push_back(0);
    for (const LinearProgram::Column& column : program.columns) {
      gains.push_back(-column.gain);  // the libraries minimise
      most.push_back(column.most);
      for (const LinearProgram::Entry& entry : column.entries) {
        rows.push_back(entry.row);
        elements.push_back(entry.element);
      }
      starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    }
    least.assign(program.columns.size(), 0);
    row_least.assign(program.limits.size(), -COIN_DBL_MAX);
  }
  std::vector<CoinBigIndex> starts;
  std::vector<int> rows;
  std::vector<double> elements;
  std::vector<double> gains;
  std::vector<double> least;
  std::vector<double> most;
  std::vector<double> row_least;
};

class CbcSolver : public Solver {
 public:
  ProgramAnswer SolveContinuous(const LinearProgram& program,
                                double seconds) override {
    const Arrays arrays(program);
    ClpSimplex simplex;
    simplex.setLogLevel(0);
    simplex.loadProblem(static_cast<int>(program.columns.size()),
                        static_cast<int>(program.limits.size()),
                        arrays.starts.data(), arrays.rows.data(),
                        arrays.elements.data(), arrays.least.data(),
                        arrays.most.data(), arrays.gains.data(),
                        arrays.row_least.data(), program.limits.data());
    simplex.setMaximumSeconds(seconds);
    simplex.primal();
    ProgramAnswer answer;
    answer.optimal = simplex.status() == 0;
    answer.x.assign(simplex.primalColumnSolution(),
                    simplex.primalColumnSolution() + program.columns.size());
    for (size_t row = 0; row < program.limits.size(); ++row) {
      answer.prices.push_back(std::max(0.0, -simplex.dualRowSolution()[row]));
    }
    return answer;
  }

  ProgramAnswer SolveWhole(const LinearProgram& program,
                           double seconds) override {
    const Arrays arrays(program);
    OsiClpSolverInterface relaxation;
    relaxation.messageHandler()->setLogLevel(0);
    relaxation.loadProblem(static_cast<int>(program.columns.size()),
                           static_cast<int>(program.limits.size()),
                           arrays.starts.data(), arrays.rows.data(),
                           arrays.elements.data(), arrays.least.data(),
                           arrays.most.data(), arrays.gains.data(),
                           arrays.row_least.data(), program.limits.data());
    for (size_t i = 0; i < program.columns.size(); ++i) {
      relaxation.setInteger(static_cast<int>(i));
    }
    CbcModel model(relaxation);
    model.setLogLevel(0);
    CbcSolverUsefulData options;
    CbcMain0(model, options);
    const std::string limit = std::to_string(seconds);
    const char* words[] = {"edgewise",    "-log",    "0",
                           "-timeMode",   "elapsed", "-seconds",
                           limit.c_str(), "-solve",  "-quit"};
    CbcMain1(
        static_cast<int>(std::size(words)), words, model,
        [](CbcModel*, int) { return 0; }, options);
    ProgramAnswer answer;
    answer.optimal = model.isProvenOptimal();
    if (const double* const best = model.bestSolution()) {
      answer.x.assign(best, best + program.columns.size());
    }
    return answer;
  }
};

}  // namespace
}  // namespace edgewise::orchestration

extern "C" __attribute__((visibility("default")))
edgewise::orchestration::Solver*
edgewise_solver_1() {
  return new edgewise::orchestration::CbcSolver();
}
