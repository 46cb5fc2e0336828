// What an object store answers: listings of objects, and errors.
#ifndef EDGEWISE_DATASETS_S3_LISTING_H_
#define EDGEWISE_DATASETS_S3_LISTING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct S3Object {
  std::string key;
  std::string etag;  // with its quotes
  int64_t bytes = 0;
};

struct S3Page {
  std::vector<S3Object> objects;
  std::string next_token;  // empty: this was the last page
};

// The answer to ListObjectsV2. kCorrupt where it is none.
Result<S3Page> ParseS3Page(std::string_view xml);

struct S3Failure {
  std::string code;     // "NoSuchBucket"; empty where the answer says nothing
  std::string message;  // the server's own words
  std::string region;   // where the bucket is, if that is what is wrong
};
S3Failure ParseS3Failure(std::string_view xml);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_S3_LISTING_H_
