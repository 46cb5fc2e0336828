#include "orchestration/solver.h"

#include "base/module.h"

namespace edgewise::orchestration {

Result<std::unique_ptr<Solver>> MakeSolver() {
  const auto module = LoadModule("solver");
  if (!module) {
    return module.error();
  }
  const auto symbol = module->Symbol(kSolverFactory);
  if (!symbol) {
    return symbol.error();
  }
  const auto make = reinterpret_cast<SolverFactory>(*symbol);
  return std::unique_ptr<Solver>(make());
}

}  // namespace edgewise::orchestration
