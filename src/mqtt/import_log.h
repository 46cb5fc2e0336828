// Makes a Run of a log of messages, as
//   mosquitto_sub -v -t 'lab/e2e/#' | ts '%s%N'
// writes it: a time, the topic, the payload, a line each.
//
// The times of the log are read as ns since 1970 ("%s%N" of date), as seconds
// with a fraction ("%.s" of ts), or as whole seconds: ts of moreutils does not
// know %N and leaves it as it is. Whole seconds are too coarse for when a
// message was received; what its payload says is used all the same.
#ifndef EDGEWISE_MQTT_IMPORT_LOG_H_
#define EDGEWISE_MQTT_IMPORT_LOG_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mqtt/message.h"
#include "store/store.h"

namespace edgewise::mqtt {

struct LogLine {
  int64_t received_ns = 0;  // wall clock
  bool coarse = false;      // only the second is known
  std::string_view topic;   // into the line
  std::string_view payload;
};
// nullopt for a line of another kind.
std::optional<LogLine> ParseLogLine(std::string_view line);

struct LogImport {
  Run run;
  int64_t messages = 0;
  int64_t foreign_lines = 0;
  bool coarse = false;
};
// Spans: the stages that can be known. Counters: what was lost by number, came
// twice, came out of order, and is foreign.
Result<LogImport> ImportLog(Store& store, const std::filesystem::path& file,
                            const std::string& label);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_IMPORT_LOG_H_
