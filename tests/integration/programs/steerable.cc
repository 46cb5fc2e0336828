// steerable CPU_MS HZ: an application that uses CPU_MS of CPU time, over its
// knob `stride`, HZ times a second until it is killed, under a span "frame" and
// a rate "fps". Prints the stride whenever that changes.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <edgewise/edgewise.hpp>
#include <thread>

int main(int argc, char** argv) {
  const double cpu_ms = argc > 1 ? std::atof(argv[1]) : 10;
  const double hz = argc > 2 ? std::atof(argv[2]) : 10;
  const auto period = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(1 / hz));
  edgewise::Rate fps("fps");
  const edgewise::Knob<int> stride("stride", 1, 1, 8);
  int shown = 0;
  auto next = std::chrono::steady_clock::now();
  while (true) {
    const int now = stride;
    if (now != shown) {
      shown = now;
      std::printf("stride %d\n", now);
      std::fflush(stdout);
    }
    {
      EDGEWISE_MEASURE("frame");
      const uint64_t until_ns =
          edgewise_thread_cpu_ns() + static_cast<uint64_t>(cpu_ms * 1e6 / now);
      while (edgewise_thread_cpu_ns() < until_ns) {
      }
    }
    fps.Tick();
    // What is late is dropped, as a camera does.
    next = std::max(next + period, std::chrono::steady_clock::now());
    std::this_thread::sleep_until(next);
  }
}
