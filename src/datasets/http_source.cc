// Datasets that HTTP servers have.
#include <cstdlib>

#include "datasets/entry_name.h"
#include "datasets/remote_file.h"
#include "datasets/sources.h"
#include "datasets/url.h"

namespace edgewise {

Result<Dataset> GetHttp(const DatasetRequest& request) {
  auto url = ParseHttpUrl(request.source);
  if (!url) {
    return url.error();
  }
  if (!EntryName(url->file) || url->file.find('/') != std::string::npos) {
    return Error{ErrorCode::kInvalid,
                 url->shown +
                     " names no file: write the address of an archive or of "
                     "one file"};
  }
  DatasetRequest shown = request;
  shown.shown_source = url->shown;
  RemoteFile remote;
  remote.request.url = url->url;
  remote.request.credentials.user = url->user;
  remote.request.credentials.password = url->password;
  remote.request.follow_redirects = true;
  // As curl(1) and others have it.
  for (const char* const name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
    if (const char* const file = std::getenv(name);
        file != nullptr && *file != '\0') {
      remote.request.ca_file = file;
      break;
    }
  }
  remote.file = url->file;
  remote.key = "url:" + request.source;
  return GetRemoteFile(remote, shown);
}

}  // namespace edgewise
