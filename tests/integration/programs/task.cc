// task HOW [N]: a program for `edgewise exec`.
//   steady US   jobs of about that many microseconds of CPU time, until told
//               to end; then says how many there were
//   leaves N    ends by itself after N jobs, with code 3 and a word
//   hangs N     the Nth job never ends
//   deaf        does not look whether it is over
//   never       asks for no job
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <edgewise/edgewise.hpp>
#include <string_view>

namespace {

void Compute(std::uint64_t us) {
  const std::uint64_t until_ns = edgewise_thread_cpu_ns() + us * 1000;
  while (edgewise_thread_cpu_ns() < until_ns) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  const int number = argc > 2 ? std::atoi(argv[2]) : 0;
  if (how == "never") {
    std::puts("I know of no jobs");
    std::fflush(stdout);
    for (;;) {
      ::pause();
    }
  }
  edgewise::Periodic periodic("work", std::chrono::milliseconds(10));
  int jobs = 0;
  for (;;) {
    const auto job = periodic.Next();
    if (!job && how != "deaf") {
      std::printf("%d jobs\n", jobs);
      return 0;
    }
    ++jobs;
    if (how == "steady") {
      Compute(static_cast<std::uint64_t>(number));
    } else if (how == "leaves" && jobs > number) {
      std::puts("I had enough");
      return 3;
    } else if (how == "hangs" && jobs == number) {
      for (;;) {
        ::pause();
      }
    }
  }
}
