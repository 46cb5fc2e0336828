#include "http/mhd/exchange.h"

#include <strings.h>

#include <algorithm>
#include <exception>

#include "base/clock.h"
#include "base/tcp.h"
#include "base/text.h"
#include "http/tokens.h"

namespace edgewise::http {
namespace {

// A body over the limit is read to its end and dropped, so that the client
// lives to see why; but not more than this.
constexpr uint64_t kDroppedLimitBytes = uint64_t{64} << 20;
// For paths without a route.
constexpr size_t kUnknownBodyLimitBytes = size_t{64} << 10;
constexpr size_t kStreamBlockBytes = 4096;

MHD_Result AddField(void* fields, MHD_ValueKind /*kind*/, const char* key,
                    const char* value) {
  static_cast<Fields*>(fields)->emplace_back(key != nullptr ? key : "",
                                             value != nullptr ? value : "");
  return MHD_YES;
}

Response TooLarge(size_t limit_bytes) {
  return ErrorResponse(413, "too_large",
                       "the request's body is larger than " +
                           std::to_string(limit_bytes) +
                           " bytes: send less at once");
}

std::optional<Response> Refusal(const RouteMatch& match, const Request& request,
                                const std::vector<std::string>& tokens) {
  if (match.route == nullptr) {
    if (match.allowed.empty()) {
      return ErrorResponse(404, "not_found",
                           "there is nothing at " + request.path +
                               ": /openapi.json lists what there is");
    }
    Response response =
        ErrorResponse(405, "method_not_allowed",
                      request.path + " does not take " + request.method +
                          ", only " + match.allowed);
    response.headers.emplace_back("Allow", match.allowed);
    return response;
  }
  if (match.route->access == Access::kToken && !tokens.empty() &&
      !IsPermitted(request.Header("Authorization"), tokens)) {
    Response response = ErrorResponse(
        401, "token_required",
        "this needs a token: send the header \"Authorization: Bearer TOKEN\"");
    response.headers.emplace_back("WWW-Authenticate",
                                  "Bearer realm=\"edgewise\"");
    response.headers.emplace_back("WWW-Authenticate",
                                  "Basic realm=\"edgewise\"");
    return response;
  }
  return std::nullopt;
}

ssize_t TakeFromStream(void* stream, uint64_t /*position*/, char* into,
                       size_t most) {
  const auto taken = static_cast<Stream*>(stream)->Take(into, most);
  return taken == Stream::kEnded ? MHD_CONTENT_READER_END_OF_STREAM : taken;
}

void FreeString(void* text) { delete static_cast<std::string*>(text); }

}  // namespace

Exchange::Exchange(MHD_Connection* connection, const char* url,
                   const char* method, const Router& router,
                   const std::vector<std::string>& tokens)
    : begin_ns(MonotonicNs()), connection_(connection) {
  ReadHead(url, method);
  match_ = router.Find(request_.method, request_.path);
  refusal = Refusal(match_, request_, tokens);
  if (request_.method == "HEAD") {
    request_.method = "GET";
  }
  request_.parameters = std::move(match_.parameters);
  CheckLength();
}

void Exchange::ReadHead(const char* url, const char* method) {
  request_.method = method;
  request_.path = url;
  MHD_get_connection_values(connection_, MHD_HEADER_KIND, &AddField,
                            &request_.headers);
  MHD_get_connection_values(connection_, MHD_GET_ARGUMENT_KIND, &AddField,
                            &request_.query);
  if (const auto* info = MHD_get_connection_info(
          connection_, MHD_CONNECTION_INFO_CLIENT_ADDRESS)) {
    request_.peer = AddressText(info->client_addr);
  }
}

void Exchange::CheckLength() {
  if (const auto length = request_.Header("Content-Length")) {
    announced_bytes_ = ParseUint(*length).value_or(0);
  }
  if (!refusal && announced_bytes_ > BodyLimit()) {
    refusal = TooLarge(BodyLimit());
  }
  if (!refusal) {
    request_.body.reserve(announced_bytes_);
  }
}

size_t Exchange::BodyLimit() const {
  return match_.route != nullptr ? match_.route->max_body_bytes
                                 : kUnknownBodyLimitBytes;
}

bool Exchange::RefuseAtOnce() const {
  return refusal && (announced_bytes_ > BodyLimit() + kDroppedLimitBytes ||
                     request_.Header("Expect").has_value());
}

bool Exchange::Receive(const char* bytes, size_t size) {
  received_bytes_ += size;
  if (received_bytes_ > BodyLimit() + kDroppedLimitBytes) {
    return false;
  }
  if (!refusal && received_bytes_ > BodyLimit()) {
    refusal = TooLarge(BodyLimit());
    request_.body = std::string();
  }
  if (!refusal) {
    request_.body.append(bytes, size);
  }
  return true;
}

void Exchange::Answer() {
  if (refusal) {
    response = std::move(refusal);
    return;
  }
  try {
    response = match_.route->handler(request_);
  } catch (const std::exception& problem) {
    response = ErrorResponse(
        500, "internal",
        std::string("the server failed at this request: ") + problem.what());
  }
  request_.body = std::string();
}

MHD_Response* MakeMhdResponse(Exchange& exchange, MHD_Connection* connection) {
  Response& answer = *exchange.response;
  MHD_Response* made = nullptr;
  if (answer.stream) {
    exchange.stream = answer.stream;
    exchange.stream->Attach(
        [connection] { MHD_suspend_connection(connection); },
        [connection] { MHD_resume_connection(connection); });
    made = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN,
                                             kStreamBlockBytes, &TakeFromStream,
                                             exchange.stream.get(), nullptr);
  } else {
    auto body = std::make_unique<std::string>(std::move(answer.body));
    std::string* const kept = body.get();
    made = MHD_create_response_from_buffer_with_free_callback_cls(
        kept->size(), kept->data(), &FreeString, kept);
    if (made != nullptr) {
      (void)body.release();
    }
  }
  if (made == nullptr) {
    return nullptr;
  }
  if (!answer.content_type.empty()) {
    MHD_add_response_header(made, "Content-Type", answer.content_type.c_str());
  }
  MHD_add_response_header(made, "X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : answer.headers) {
    MHD_add_response_header(made, name.c_str(), value.c_str());
  }
  return made;
}

}  // namespace edgewise::http
