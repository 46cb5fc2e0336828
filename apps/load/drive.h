// Runs an app's items one after another, when they are meant to start.
#ifndef EDGEWISE_APPS_LOAD_DRIVE_H_
#define EDGEWISE_APPS_LOAD_DRIVE_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "load/checksum.h"
#include "load/options.h"
#include "load/outcome.h"

namespace edgewise::apps {

// What an app does with its items. One thread calls, Fetch and Process in
// turns.
class Work {
 public:
  virtual ~Work() = default;

  // The name of an item's span. A literal.
  virtual const char* item_name() const = 0;
  // Gets the next input; false at its end. Waits for cameras and microphones.
  // Not part of the item, and so under a span of its own.
  virtual Result<bool> Fetch() = 0;
  // The same from a message: bytes as the app documents them, or a whole
  // number, which names synthetic input.
  virtual Result<void> Take(std::string_view message) = 0;
  // Works on what was fetched last; all results go into the checksum.
  virtual Result<void> Process(Checksum& checksum) = 0;
};

// One item that has ended. Times are CLOCK_MONOTONIC nanoseconds.
struct ItemTimes {
  int64_t intended_start_ns = 0;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t cpu_ns = 0;  // of the calling thread
};

// Records an item under its name: with a deadline as a job; else as a span
// from its intended start to its end. True if it missed its deadline.
bool RecordItem(const char* name, const ItemTimes& times,
                std::optional<int64_t> deadline_ns);

// Until the items, the time or the input end, or a stop signal comes. Fills
// all fields of the Outcome but the app's own facts. Periodic items (--period)
// start when an executor says so, if there is one; it decides of the end too.
Result<Outcome> Drive(const LoadOptions& options, Work& work);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_DRIVE_H_
