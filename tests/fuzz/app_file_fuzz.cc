// App files that users write and servers receive.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "appfile/app_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto app = edgewise::ReadAppFile(text, "app.yaml");
  if (app) {
    if (app->name.empty() || app->targets.empty()) {
      std::abort();
    }
    (void)app->Version();
    for (const edgewise::AppTarget& target : app->targets) {
      (void)edgewise::WithData(target.args, "{data}");
    }
  }
  return 0;
}
