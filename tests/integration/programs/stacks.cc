// Spends CPU time in known functions: seven parts of ten in Heavy, three in
// Light, each three calls below main. Built without frame pointers.
//
//   stacks MS [deep]   for so many milliseconds of CPU time; "deep": far below
//                      a recursion with large frames
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

volatile uint64_t sink = 1;

double CpuMs() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 +
         static_cast<double>(now.tv_nsec) / 1e6;
}

constexpr int kUnit = 20000;

}  // namespace

// Outside of the namespace, so that they keep their plain names. The empty
// statements with memory clobbers keep calls from becoming jumps.
[[gnu::noinline]] void Heavy() {
  for (int i = 0; i < 7 * kUnit; ++i) {
    sink = sink * 3 + 1;
  }
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void Light() {
  for (int i = 0; i < 3 * kUnit; ++i) {
    sink = sink * 5 + 1;
  }
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void Both() {
  Heavy();
  Light();
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void Work(double milliseconds) {
  const double end = CpuMs() + milliseconds;
  while (CpuMs() < end) {
    Both();
  }
  asm volatile("" ::: "memory");
}

[[gnu::noinline]] void Deep(int levels, double milliseconds) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(levels);
  if (levels > 0) {
    Deep(levels - 1, milliseconds);
  } else {
    Work(milliseconds);
  }
  frame[1] = frame[0];
}

int main(int argc, char** argv) {
  const double milliseconds = argc > 1 ? std::atof(argv[1]) : 1000;
  if (argc > 2 && std::strcmp(argv[2], "deep") == 0) {
    Deep(40, milliseconds);
  } else {
    Work(milliseconds);
  }
  std::puts("done");
}
