// What only system calls can tell about this machine, asked without leaving a
// trace: policies are tried on a thread that ends at once.
#ifndef EDGEWISE_PROBES_KERNEL_ANSWERS_H_
#define EDGEWISE_PROBES_KERNEL_ANSWERS_H_

#include <cstdint>
#include <filesystem>
#include <optional>

namespace edgewise {

// Each *_errno is 0 if the kernel permits it, else why not.
struct KernelAnswers {
  bool root_user = false;
  int perf_software_errno = 0;
  // The kernel's own work may not be counted: no switches, no migrations.
  bool perf_user_only = false;
  int perf_hardware_errno = 0;
  int sampling_errno = 0;  // cpu-clock samples with registers and stack
  int fifo_errno = 0;
  int deadline_errno = 0;
  int negative_nice_errno = 0;
  // RLIMIT_RTPRIO and RLIMIT_NICE (as a nice value) of this user.
  int64_t realtime_priority_limit = 0;
  int64_t nice_limit = 0;
  std::optional<int64_t> store_free_bytes;
  // Cores that this process may run on.
  int allowed_cores = 0;
};

// `store_folder` need not exist; the nearest folder above it that does counts.
KernelAnswers AskKernel(const std::filesystem::path& store_folder);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_KERNEL_ANSWERS_H_
