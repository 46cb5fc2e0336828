#include "fetch/client.h"

#include "base/module.h"

namespace edgewise::fetch {

std::optional<std::string_view> Response::Header(
    std::string_view lower_name) const {
  for (const auto& [name, value] : headers) {
    if (name == lower_name) {
      return value;
    }
  }
  return std::nullopt;
}

Result<std::unique_ptr<Client>> MakeClient() {
  const auto module = LoadModule("fetch");
  if (!module) {
    return module.error();
  }
  const auto symbol = module->Symbol(kClientFactory);
  if (!symbol) {
    return symbol.error();
  }
  const auto make = reinterpret_cast<ClientFactory>(*symbol);
  return std::unique_ptr<Client>(make());
}

}  // namespace edgewise::fetch
