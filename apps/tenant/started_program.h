// A program that ends with its owner.
#ifndef EDGEWISE_APPS_TENANT_STARTED_PROGRAM_H_
#define EDGEWISE_APPS_TENANT_STARTED_PROGRAM_H_

#include <csignal>
#include <utility>

#include "base/child_program.h"
#include "base/clock.h"

namespace edgewise::apps {

class StartedProgram {
 public:
  explicit StartedProgram(ChildProgram program)
      : program_(std::move(program)) {}
  ~StartedProgram() { program_.Stop(kGraceNs); }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  bool over() { return program_.Ended().has_value(); }
  void Kill() const { program_.Signal(SIGKILL); }

 private:
  static constexpr int64_t kGraceNs = kNsPerSecond / 2;

  ChildProgram program_;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_STARTED_PROGRAM_H_
