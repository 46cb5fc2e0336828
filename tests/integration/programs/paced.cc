// paced HZ [COUNT]: an application that does something HZ times a second, COUNT
// times or until it is killed: a span "frame" of about a millisecond, a gauge
// "queue", a counter "frames".
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <edgewise/edgewise.hpp>
#include <thread>

int main(int argc, char** argv) {
  const double hz = argc > 1 ? std::atof(argv[1]) : 10;
  const long count = argc > 2 ? std::atol(argv[2]) : 0;
  const auto period = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(1 / hz));
  edgewise::Gauge queue("queue");
  edgewise::Counter frames("frames");
  auto next = std::chrono::steady_clock::now();
  for (long i = 0; count == 0 || i < count; ++i) {
    {
      EDGEWISE_MEASURE("frame");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    queue.Set(static_cast<double>(i % 5));
    frames.Add();
    next += period;
    std::this_thread::sleep_until(next);
  }
  return 0;
}
