// Tasks to be planned, in milliseconds.
#ifndef EDGEWISE_TESTS_SCHEDULING_PLAN_WISHES_H_
#define EDGEWISE_TESTS_SCHEDULING_PLAN_WISHES_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "scheduling/make_plan.h"

namespace edgewise::scheduling {

inline constexpr int64_t kMs = 1'000'000;

inline TaskWish Wish(const std::string& name, double c_ms, double t_ms,
                     double d_ms = 0) {
  TaskWish wish;
  wish.task.name = name;
  wish.task.wcet_ns = static_cast<int64_t>(c_ms * kMs);
  wish.task.period_ns = static_cast<int64_t>(t_ms * kMs);
  wish.task.deadline_ns =
      d_ms > 0 ? static_cast<int64_t>(d_ms * kMs) : wish.task.period_ns;
  return wish;
}

inline PlanRequest Request(std::vector<TaskWish> tasks, std::vector<int> cores,
                           Executor executor = Executor::kEdf) {
  PlanRequest request;
  request.tasks = std::move(tasks);
  request.cores = std::move(cores);
  request.rules.executor = executor;
  return request;
}

inline PlanAnswer Answer(const PlanRequest& request) {
  const auto answer = MakePlan(request);
  EXPECT_TRUE(answer) << answer.error().message;
  return answer ? *answer : PlanAnswer{};
}

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_TESTS_SCHEDULING_PLAN_WISHES_H_
