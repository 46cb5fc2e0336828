#include "http/response.h"

#include <nlohmann/json.hpp>

namespace edgewise::http {

Response ErrorResponse(int status, std::string_view code,
                       std::string_view message) {
  const nlohmann::json document = {
      {"error", {{"code", code}, {"message", message}}}};
  return {.status = status,
          .body = document.dump(-1, ' ', false,
                                nlohmann::json::error_handler_t::replace) +
                  "\n"};
}

Response EventStreamResponse(std::shared_ptr<Stream> stream) {
  return {.content_type = kEventType,
          .headers = {{"Cache-Control", "no-store"}},
          .stream = std::move(stream)};
}

}  // namespace edgewise::http
