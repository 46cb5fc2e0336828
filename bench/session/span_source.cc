// Sends spans at a given rate from one thread, as an application would.
//
//   bench_span_source COUNT PER_SECOND
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <edgewise/edgewise.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: bench_span_source COUNT PER_SECOND\n", stderr);
    return 2;
  }
  const uint64_t count = std::strtoull(argv[1], nullptr, 10);
  const double per_second = std::strtod(argv[2], nullptr);
  const edgewise_name name = edgewise_intern("work");
  const uint64_t start_ns = edgewise_now_ns();
  // Small batches, each at its time: the rate is even, and a stall is made up
  // for at no more than twice the rate.
  constexpr uint64_t kBatch = 200;
  const double batch_ns = kBatch * 1e9 / per_second;
  double due_ns = static_cast<double>(start_ns);
  for (uint64_t sent = 0; sent < count;) {
    uint64_t now_ns = edgewise_now_ns();
    while (static_cast<double>(now_ns) < due_ns) {
      now_ns = edgewise_now_ns();
    }
    for (uint64_t i = 0; i < kBatch && sent < count; ++i, ++sent) {
      edgewise_span_record(name, now_ns, 500, EDGEWISE_NO_CPU_TIME, nullptr, 0);
    }
    const double late_ns = static_cast<double>(now_ns) - due_ns;
    due_ns +=
        late_ns > batch_ns ? batch_ns + (late_ns - batch_ns / 2) : batch_ns;
  }
  const double seconds =
      static_cast<double>(edgewise_now_ns() - start_ns) / 1e9;
  std::printf("%.0f\n", static_cast<double>(count) / seconds);
}
