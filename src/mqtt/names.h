// Names under which the roles record counters and gauges, and under which they
// are found again in a stored Run. Counters are totals of all processes.
#ifndef EDGEWISE_MQTT_NAMES_H_
#define EDGEWISE_MQTT_NAMES_H_

namespace edgewise::mqtt {

// Of the producer: messages whose time had come and that were published, or
// could not be (QoS 0 without a connection); of them those that could not;
// those that were never published, because time was over; answers of the
// broker; of them refusals.
inline constexpr char kSent[] = "producer sent";
inline constexpr char kRefused[] = "producer refused";
inline constexpr char kUnsent[] = "producer unsent";
inline constexpr char kAcknowledged[] = "producer acknowledged";
inline constexpr char kAnswerRefused[] = "producer rejected";
// Gauge: messages without the broker's answer.
inline constexpr char kInFlight[] = "producer in flight";

inline constexpr char kProcessorReceived[] = "processor received";
inline constexpr char kProcessorDuplicated[] = "processor duplicated";
inline constexpr char kProcessorForeign[] = "processor foreign";
inline constexpr char kDropped[] = "processor dropped";  // queue was full
inline constexpr char kWorkFailed[] = "processor failed";
inline constexpr char kReplied[] = "processor replied";
inline constexpr char kUnreplied[] = "processor unreplied";
inline constexpr char kQueued[] = "processor queued";  // gauge

inline constexpr char kReceived[] = "consumer received";
inline constexpr char kDuplicated[] = "consumer duplicated";
inline constexpr char kReordered[] = "consumer reordered";
inline constexpr char kForeign[] = "consumer foreign";
inline constexpr char kNegative[] = "consumer negative";  // one-way times
inline constexpr char kUnplaced[] = "consumer unplaced";  // no clock for it
// Gauges, ns: the most by which a one-way stage may be off, and the lowest
// negative time that came out.
inline constexpr char kClockBound[] = "clock bound to processor";
inline constexpr char kClockBoundConsumer[] = "clock bound to consumer";
inline constexpr char kClockBoundTotal[] = "clock bound total";
inline constexpr char kMostNegative[] = "consumer most negative";

// After the role's name and a blank.
inline constexpr char kReconnects[] = "reconnects";  // counter
inline constexpr char kCpu[] = "cpu_us";             // counter
inline constexpr char kMemory[] = "rss_bytes";       // gauge
// With cpu_us and rss_bytes as a role has.
inline constexpr char kBroker[] = "broker";
inline constexpr char kApp[] = "app";

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_NAMES_H_
