// Task sets for trying the analyses on: random ones, and short names for
// those worked out by hand.
#ifndef EDGEWISE_TESTS_SCHEDULING_RANDOM_TASKS_H_
#define EDGEWISE_TESTS_SCHEDULING_RANDOM_TASKS_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "scheduling/simulate.h"
#include "scheduling/task.h"
#include "stats/random.h"

namespace edgewise::scheduling {

// How many random sets a test tries: all where the code is optimised.
#ifdef NDEBUG
inline constexpr int kManySets = 100'000;
#else
inline constexpr int kManySets = 5'000;
#endif

// C, D, T and J, named by its place: "t0", "t1".
struct Cdt {
  int64_t c;
  int64_t d;
  int64_t t;
  int64_t j = 0;
};
std::vector<Task> Tasks(const std::vector<Cdt>& rows);

enum class Deadlines { kImplicit, kConstrained, kArbitrary };

struct SetKind {
  int most_tasks = 4;
  int most_period = 12;
  double least_load = 0.5;  // before rounding
  double most_load = 1.05;
  Deadlines deadlines = Deadlines::kArbitrary;
  bool jitter = false;
  int least_tasks = 1;
};

// Loads by UUniFast (Bini and Buttazzo 2005), those of tasks above 100%
// discarded; execution times rounded to at least 1.
std::vector<Task> RandomTasks(const SetKind& kind, stats::Random* random);

// The load of whole hyperperiods, compared in integers.
int64_t Hyperperiod(const std::vector<Task>& tasks);
bool IsOverloaded(const std::vector<Task>& tasks);

// A random history that the tasks allow: offsets, pauses between jobs, delays
// up to the jitter, and now and then short executions. Densest patterns are as
// likely as loose ones.
JobSource RandomHistory(const std::vector<Task>& tasks, uint64_t seed);

// So that a failing set can be read.
std::string Show(const std::vector<Task>& tasks);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_TESTS_SCHEDULING_RANDOM_TASKS_H_
