#include "mqtt/transport.h"

#include "base/module.h"

namespace edgewise::mqtt {

Result<std::unique_ptr<Transport>> MakeTransport(
    const TransportSettings& settings, TransportEvents& events) {
  const auto module = LoadModule("mqtt");
  if (!module) {
    return module.error();
  }
  const auto symbol = module->Symbol(kTransportFactory);
  if (!symbol) {
    return symbol.error();
  }
  const auto make = reinterpret_cast<TransportFactory>(*symbol);
  return std::unique_ptr<Transport>(make(settings, events));
}

}  // namespace edgewise::mqtt
