// What every sample app takes on its command line: how items arrive, how many,
// with how many threads, from which input.
#ifndef EDGEWISE_APPS_LOAD_OPTIONS_H_
#define EDGEWISE_APPS_LOAD_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace CLI {
class App;
}

namespace edgewise::apps {

enum class Arrivals {
  kBackToBack,  // the next item starts when the one before has ended
  kEven,        // intended starts are evenly spaced
  kPoisson,     // gaps between intended starts are exponential, seeded
  kAtOnce,      // all items are due at the start
};

struct LoadOptions {
  Arrivals arrivals = Arrivals::kBackToBack;
  // Mean time between intended starts; only for kEven and kPoisson.
  double gap_ns = 0;
  // After each intended start; nullopt if nothing is due at any time.
  std::optional<int64_t> deadline_ns;
  // The end is at whichever comes first; nullopt: no such end.
  std::optional<int64_t> items;
  std::optional<int64_t> duration_ns;
  int threads = 1;
  uint64_t seed = 1;
  std::string input = "synthetic";
  bool json = false;
};

// Who decides when items start.
enum class Starts {
  kOwn,       // the app, as its options say
  kMessages,  // others, unless the options say when
};

// The same as typed; Check() makes options of it.
class LoadFlags {
 public:
  // `default_items` holds for synthetic input when neither --items nor
  // --duration is given; nullopt: until stopped.
  explicit LoadFlags(std::optional<int64_t> default_items,
                     Starts starts = Starts::kOwn)
      : default_items_(default_items), starts_(starts) {}

  // Adds --rate, --max, --period, --deadline, --arrivals, --items,
  // --duration, --threads, --seed and --json. This object must outlive `app`.
  void AddTo(CLI::App& app);
  // Adds --input; `forms` are those that the app knows, for its help.
  void AddInputTo(CLI::App& app, const std::string& forms);

  // The error names the flag.
  Result<LoadOptions> Check() const;

 private:
  Result<void> CheckArrivals(LoadOptions& options) const;

  std::optional<int64_t> default_items_;
  Starts starts_;
  std::string rate_, period_, deadline_, duration_;
  std::string arrivals_;
  std::optional<int64_t> items_;
  int threads_ = 0;
  bool max_ = false;
  LoadOptions plain_;  // the flags that need no check
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_OPTIONS_H_
