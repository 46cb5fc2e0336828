// A collector in a process of its own that counts what it gets.
#ifndef EDGEWISE_BENCH_CLIENT_COUNTING_COLLECTOR_H_
#define EDGEWISE_BENCH_CLIENT_COUNTING_COLLECTOR_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace edgewise {

struct CollectorTotals {
  uint64_t spans = 0;
  uint64_t dropped = 0;
  double cpu_s = 0;
  double wall_s = 0;  // from the first to the last client
};

// Starts on construction, listening when the constructor returns.
class CountingCollector {
 public:
  CountingCollector();
  ~CountingCollector();
  CountingCollector(const CountingCollector&) = delete;
  CountingCollector& operator=(const CountingCollector&) = delete;

  const std::string& socket_path() const { return socket_path_; }
  // Lets it take what is left, and ends it.
  CollectorTotals Stop();

 private:
  std::string directory_;
  std::string socket_path_;
  pid_t pid_ = -1;
  int stop_fd_ = -1;
  int totals_fd_ = -1;
};

// "name value unit bar verdict", separated by tabs.
void PrintFigure(const std::string& name, double value, const std::string& unit,
                 const std::string& bar, bool pass);

}  // namespace edgewise

#endif  // EDGEWISE_BENCH_CLIENT_COUNTING_COLLECTOR_H_
