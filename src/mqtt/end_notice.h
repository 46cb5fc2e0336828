// EndNotice: what a producer tells on TOPIC/control when it has sent all.
#ifndef EDGEWISE_MQTT_END_NOTICE_H_
#define EDGEWISE_MQTT_END_NOTICE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace edgewise::mqtt {

struct EndNotice {
  std::optional<uint64_t> run;
  int64_t sent = 0;
};

std::string FormatEndNotice(const EndNotice& notice);
// nullopt for anything else.
std::optional<EndNotice> ParseEndNotice(std::string_view text);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_END_NOTICE_H_
