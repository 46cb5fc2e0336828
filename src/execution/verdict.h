// What executions of a plan say about it, in whole sentences.
#ifndef EDGEWISE_EXECUTION_VERDICT_H_
#define EDGEWISE_EXECUTION_VERDICT_H_

#include <span>
#include <string>
#include <vector>

#include "execution/execution.h"

namespace edgewise {

struct ExecutionVerdict {
  // A response was above its proven bound: the proof does not hold here.
  bool falsified = false;
  // Every job of the plan (of the lab's runner, if that is all there is) met
  // its deadline, and no bound was broken.
  bool held = true;
  // The first is the answer.
  std::vector<std::string> sentences;
};

// Of one execution, or of a naive and a planned one.
ExecutionVerdict JudgeAll(std::span<const Execution> executions);

// Which card tells what is not so.
struct CardMark {
  std::string card;  // the file
  std::string text;
};
// One for each card that a broken bound speaks against: that of the task whose
// C was exceeded, else that of the task whose bound was broken.
std::vector<CardMark> MarksOf(const Execution& execution,
                              const std::string& plan_name);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_VERDICT_H_
