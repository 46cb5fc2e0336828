// What processes say of themselves, what the kernel and engines say of them,
// and the frames of a tap.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "live/engine.h"
#include "live/identity.h"
#include "live/tap.h"

namespace {

class NoSink : public edgewise::RingSink {
 public:
  void OnClientStart(const edgewise::RingClient&) override {}
  void OnName(const edgewise::RingClient&, uint32_t, edgewise::EventKind,
              std::string_view) override {}
  void OnSpans(const edgewise::RingClient&,
               std::span<const edgewise::SpanEvent>) override {}
  void OnMetrics(const edgewise::RingClient&,
                 std::span<const edgewise::MetricEvent>) override {}
  void OnJobs(const edgewise::RingClient&,
              std::span<const edgewise::JobEvent>) override {}
  void OnClientEnd(const edgewise::RingClient&,
                   const edgewise::RingAccount&) override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise::live;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ClaimedIdentity claimed = ParseIdentity(text);
  if (claimed.app.size() > 63 || claimed.labels.size() > 16) {
    std::abort();
  }
  const ContainerIds ids = ParseContainerIds(text);
  if (!ids.container.empty() && ids.container.size() != 64) {
    std::abort();
  }
  (void)NameFromCommand(text);
  (void)ParseOciConfig(text);
  (void)ParseDockerConfig(text);
  (void)ParseContainerList(text, "x");
  NoSink sink;
  TapReader reader({}, sink);
  (void)reader.Take(text);
  return 0;
}
