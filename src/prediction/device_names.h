// Device names as people and boards write them: "Raspberry Pi 4B" and
// "Raspberry Pi 4 Model B Rev 1.4" are one.
#ifndef EDGEWISE_PREDICTION_DEVICE_NAMES_H_
#define EDGEWISE_PREDICTION_DEVICE_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

// Letters and digits in lower case, without vendors' fillers ("Model", "Rev
// 1.4", "(R)"); equal for names that mean one board.
std::string DeviceKey(std::string_view name);

// The known name that means the same board; nullopt if none does, or if
// several do.
std::optional<std::string> MatchDevice(std::string_view name,
                                       const std::vector<std::string>& known);

// Known names that a person may have meant, at most three.
std::vector<std::string> SimilarDevices(std::string_view name,
                                        const std::vector<std::string>& known);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_DEVICE_NAMES_H_
