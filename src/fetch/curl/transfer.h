// Transfer: what one request sends and receives, as curl's callbacks see it.
#ifndef EDGEWISE_FETCH_CURL_TRANSFER_H_
#define EDGEWISE_FETCH_CURL_TRANSFER_H_

#include <curl/curl.h>

#include <optional>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "fetch/client.h"

namespace edgewise::fetch {

// Used by one thread; lives as long as the transfer.
class Transfer {
 public:
  Transfer(const Request& request, CURL* easy)
      : request_(request), easy_(easy) {}

  // Sets the callbacks.
  void Attach();
  // Why a callback ended the transfer, if one did.
  const std::optional<Error>& error() const { return error_; }
  Response& response() { return response_; }

 private:
  static size_t OnHeader(char* bytes, size_t size, size_t count, void* self);
  static size_t OnBody(char* bytes, size_t size, size_t count, void* self);
  static int OnProgress(void* self, curl_off_t, curl_off_t, curl_off_t,
                        curl_off_t);
  bool GoesOn();
  bool IsPartAskedFor();
  void TakeHeader(std::string_view line);
  bool TakeBody(std::string_view bytes);
  bool OpenFile();

  const Request& request_;
  CURL* easy_;
  Response response_;
  UniqueFd file_;
  std::optional<Error> error_;
};

}  // namespace edgewise::fetch

#endif  // EDGEWISE_FETCH_CURL_TRANSFER_H_
