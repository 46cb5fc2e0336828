// Messages that anybody may publish, lines of logs, and notices of producers.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "mqtt/end_notice.h"
#include "mqtt/import_log.h"
#include "mqtt/message.h"
#include "mqtt/stages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise::mqtt;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto message = ParseMessage(text)) {
    // What was read can be written and reads back the same.
    for (const Format format : {Format::kJson, Format::kBinary}) {
      std::string bytes;
      EncodeMessage(*message, format, 0, {}, &bytes);
      if (ParseMessage(bytes) != message) {
        std::abort();
      }
    }
    (void)StagesOf(*message, {1'000'000'000, 1'731'694'178'000'000'000, 7},
                   [](uint64_t) -> const edgewise::clocks::ClockEstimate* {
                     return nullptr;
                   });
  }
  (void)ParseEndNotice(text);
  if (const auto line = ParseLogLine(text)) {
    (void)ParseMessage(line->payload);
  }
  return 0;
}
