// Message: what travels from producer over processor to consumer, and its two
// forms on the wire: JSON as the lab's, and binary for large frames.
// docs/formats/mqtt-payload.md describes both.
//
// What comes over a topic is anybody's: parsing never fails otherwise than by
// saying that something is no message of ours.
#ifndef EDGEWISE_MQTT_MESSAGE_H_
#define EDGEWISE_MQTT_MESSAGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::mqtt {

// Times that begin with t_ are of the wall clock (ns since 1970), those with
// m_ of CLOCK_MONOTONIC of the host named beside them. Messages of the lab's
// programs have `id` and t_pub_ns only, their results t_done_ns as well.
struct Message {
  int64_t id = 0;                   // from 0 up, one by one
  std::optional<int64_t> t_pub_ns;  // just before the publish call
  std::optional<uint64_t> run;      // tells messages of other producers
  bool warm_up = false;             // in no figure

  std::optional<uint64_t> host;     // of the producer
  std::optional<int64_t> m_due_ns;  // when it was meant to be published
  std::optional<int64_t> m_pub_ns;

  // Of results only.
  std::optional<int64_t> t_done_ns;  // its presence makes it a result
  std::optional<int64_t> t_recv_ns;
  std::optional<int64_t> t_reply_ns;
  std::optional<uint64_t> processor;  // its host
  std::optional<int64_t> m_recv_ns;   // by the processor
  std::optional<int64_t> m_start_ns;  // work started
  std::optional<int64_t> m_done_ns;   // work done
  std::optional<int64_t> m_reply_ns;  // just before the result's publish call

  bool is_result() const { return t_done_ns.has_value(); }
  bool operator==(const Message&) const = default;
};

enum class Format { kJson, kBinary };

// The most bytes that a message takes without padding or body.
inline constexpr size_t kMostJsonBytes = 640;
inline constexpr size_t kBinaryHeaderBytes = 128;
// What --payload may ask for at least, so that a request always fits.
size_t LeastPayloadBytes(Format format);
inline constexpr size_t kMostPayloadBytes = size_t{256} << 20;

// Writes the message to `out`, whose old content is lost but whose memory is
// used again. With `body` (what the work had to say) that follows; then padding
// up to `size` bytes, if it is shorter.
void EncodeMessage(const Message& message, Format format, size_t size,
                   std::string_view body, std::string* out);

// nullopt: a foreign message.
std::optional<Message> ParseMessage(std::string_view bytes);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_MESSAGE_H_
