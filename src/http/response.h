// Response: what a handler answers.
#ifndef EDGEWISE_HTTP_RESPONSE_H_
#define EDGEWISE_HTTP_RESPONSE_H_

#include <memory>
#include <string>
#include <string_view>

#include "http/request.h"
#include "http/stream.h"

namespace edgewise::http {

inline constexpr char kJsonType[] = "application/json";
inline constexpr char kTextType[] = "text/plain; charset=utf-8";
inline constexpr char kHtmlType[] = "text/html; charset=utf-8";
inline constexpr char kEventType[] = "text/event-stream";

struct Response {
  int status = 200;
  std::string content_type = kJsonType;
  std::string body = {};
  Fields headers = {};
  // If set, the body is what is written to it, until it ends.
  std::shared_ptr<Stream> stream = nullptr;
};

// {"error": {"code": CODE, "message": MESSAGE}}. The code is for programs and
// never changes; the message is one sentence for a person.
Response ErrorResponse(int status, std::string_view code,
                       std::string_view message);

// Server-sent events; see Stream::WriteEvent.
Response EventStreamResponse(std::shared_ptr<Stream> stream);

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_RESPONSE_H_
