// A calibrated amount of CPU per item.
//
// The work is a fixed number of steps of a recurrence whose end can also be
// computed directly (Brown 1994): every item is checked, so that no step can
// be left out, and the checksum does not depend on how fast the machine is.
#ifndef EDGEWISE_APPS_SPIN_SPIN_WORK_H_
#define EDGEWISE_APPS_SPIN_SPIN_WORK_H_

#include <cstdint>
#include <edgewise/edgewise.hpp>

#include "load/crew.h"
#include "load/drive.h"

namespace edgewise::apps {

// `steps` of x -> a x + c modulo 2^64, one after the other.
uint64_t Spin(uint64_t x, int64_t steps);
// The same result without the work.
uint64_t SpinDirectly(uint64_t x, int64_t steps);

// Steps that take this much CPU time of one thread here. Takes the fastest of
// several trials, since whatever disturbs makes them slower. At least 1.
int64_t CalibrateSteps(int64_t cpu_ns);

// From some time on items take so many times the work, as when a scene fills.
struct Surge {
  int64_t after_ns = 0;
  double factor = 1;
};

// An agent may turn the knob `stride`: only one of so many steps is done.
class SpinWork : public Work {
 public:
  // The steps of one item are shared by `threads`.
  SpinWork(int64_t steps_per_item, int threads, uint64_t seed,
           Surge surge = {});

  const char* item_name() const override { return "item"; }
  Result<bool> Fetch() override;
  Result<void> Take(std::string_view message) override;
  Result<void> Process(Checksum& checksum) override;

 private:
  int64_t StepsNow() const;

  int64_t steps_per_item_;
  Surge surge_;
  int64_t began_ns_ = 0;
  Knob<int> stride_{"stride", 1, 1, 64};
  Crew crew_;
  uint64_t next_;  // what the next item starts from
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_SPIN_SPIN_WORK_H_
