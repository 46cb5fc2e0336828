// Addresses of datasets, taken apart.
#ifndef EDGEWISE_DATASETS_URL_H_
#define EDGEWISE_DATASETS_URL_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

struct HttpUrl {
  std::string url;       // to ask for, without user and fragment
  std::string user;      // decoded; empty: none
  std::string password;  // decoded
  std::string file;      // the last part of the path, decoded; may be empty
  std::string shown;     // for people and records: no secrets
};

bool IsHttpUrl(std::string_view source);
Result<HttpUrl> ParseHttpUrl(std::string_view source);

struct S3Url {
  std::string bucket;
  std::string key;  // without '/' at its beginning and end; may be empty
};

bool IsS3Url(std::string_view source);
Result<S3Url> ParseS3Url(std::string_view source);

// All but letters, digits and "-_.~" as %XX, as signatures want it; '/' stays
// if `keep_slash`.
std::string PercentEncode(std::string_view text, bool keep_slash);
// The other way; a '%' without two digits stays as it is.
std::string PercentDecode(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_URL_H_
