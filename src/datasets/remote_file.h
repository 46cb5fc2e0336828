// A dataset that is one file on a server: an archive, or a file as it is.
#ifndef EDGEWISE_DATASETS_REMOTE_FILE_H_
#define EDGEWISE_DATASETS_REMOTE_FILE_H_

#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "datasets/sources.h"
#include "fetch/client.h"

namespace edgewise {

struct RemoteFile {
  fetch::Request request;  // URL, credentials, whom to trust
  std::string file;        // its name; safe
  std::string key;         // of the source, for the cache
  std::function<std::optional<Error>(const fetch::Response&)> explain;
};

// Where the server cannot be asked, what it had when it last could is used,
// and Dataset::note says so.
Result<Dataset> GetRemoteFile(const RemoteFile& remote,
                              const DatasetRequest& request);

// The copy that is used where the server cannot be asked because of `why`.
Dataset Stale(Dataset copy, const KnownSource& known, const Error& why);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_REMOTE_FILE_H_
