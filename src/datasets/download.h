// Download: one file from a server, in as many tries as it takes.
#ifndef EDGEWISE_DATASETS_DOWNLOAD_H_
#define EDGEWISE_DATASETS_DOWNLOAD_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "datasets/retry.h"
#include "fetch/client.h"

namespace edgewise {

struct DownloadOrder {
  // URL, credentials, whom to trust; the rest is set here.
  fetch::Request request;
  std::string shown;  // the URL for people
  // Continued where it ends, if the file FILE.version beside it says of which
  // version it is and the server still has that.
  std::filesystem::path file;
  // Of what is here already, elsewhere: no need to send that again.
  std::string known_version;
  std::chrono::milliseconds retry_pause{500};
  int tries = kTries;
  // Asked once a second at least, while waiting too.
  std::function<bool(int64_t done_bytes, std::optional<int64_t> total_bytes)>
      go_on;
  // Told what is still to come before it comes; an error ends it.
  std::function<Result<void>(int64_t bytes)> make_room;
  // What a refusal means, where the server's kind is known; nullopt: the usual.
  std::function<std::optional<Error>(const fetch::Response&)> explain;
};

struct Downloaded {
  bool unchanged = false;  // the server still has known_version; no file
  // As the server names it: its ETag, else when it was last modified; empty
  // where it says neither.
  std::string version;
};

// What a server says of the version of what it sends.
std::string VersionOf(const fetch::Response& response);

// On a full disk nothing is left of the file; otherwise what came is kept
// after an error, for the next call.
Result<Downloaded> Download(fetch::Client& client, const DownloadOrder& order);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_DOWNLOAD_H_
