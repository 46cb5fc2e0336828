// Messages of the old Waggle library: {"NAME":{"value":V,"timestamp":T}} and an
// empty line after each.
#ifndef EDGEWISE_LIVE_WAGGLE_MESSAGE_H_
#define EDGEWISE_LIVE_WAGGLE_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise::live {

struct WaggleValue {
  std::string name;                   // 1 to 63 bytes, printable
  double value = 0;                   // finite
  std::optional<double> timestamp_s;  // since 1970, as the app says
};

// The metrics of one message; nullopt if it is none. A metric whose value is no
// finite number is left out.
std::optional<std::vector<WaggleValue>> ParseWaggleMessage(
    std::string_view text);

// Cuts a stream into messages, however it was cut on its way.
class WaggleFrames {
 public:
  static constexpr size_t kMostMessageBytes = size_t{64} << 10;

  // False if a message is too long: nothing that follows can be made out.
  bool Take(std::string_view bytes);
  // The next whole message; nullopt if there is none yet.
  std::optional<std::string> Next();

 private:
  std::string kept_;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_WAGGLE_MESSAGE_H_
