// burn CPU_MS TOUCH_MIB [SLEEPS]: touches memory, sleeps SLEEPS times, uses CPU
// time, and prints its own account just before it exits.
#include <sys/mman.h>

#include <cstring>

#include "own_account.h"

int main(int argc, char** argv) {
  const int64_t cpu_ms = argc > 1 ? std::atoll(argv[1]) : 0;
  const size_t touch_bytes =
      argc > 2 ? static_cast<size_t>(std::atoll(argv[2])) << 20 : 0;
  const int sleeps = argc > 3 ? std::atoi(argv[3]) : 0;
  if (touch_bytes > 0) {
    void* memory = mmap(nullptr, touch_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      return 1;
    }
    std::memset(memory, 1, touch_bytes);
  }
  for (int i = 0; i < sleeps; ++i) {
    const timespec pause{0, 500'000};
    nanosleep(&pause, nullptr);
  }
  programs::BurnUntil(cpu_ms);
  // Once for nothing, so that what this needs itself is part of the account.
  programs::StatusNumber("voluntary_ctxt_switches");
  const int64_t voluntary = programs::StatusNumber("voluntary_ctxt_switches");
  const int64_t involuntary =
      programs::StatusNumber("nonvoluntary_ctxt_switches");
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf(
      "{\"cpu_user_s\": %.6f, \"cpu_system_s\": %.6f, \"max_rss_bytes\": %lld,"
      " \"voluntary_switches\": %lld, \"involuntary_switches\": %lld}\n",
      programs::Seconds(used.ru_utime), programs::Seconds(used.ru_stime),
      static_cast<long long>(used.ru_maxrss) * 1024,
      static_cast<long long>(voluntary), static_cast<long long>(involuntary));
  std::fflush(stdout);
  _exit(0);  // nothing between the account and the end
}
