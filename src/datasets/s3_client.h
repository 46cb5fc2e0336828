// S3Bucket: one bucket of an object store, asked in path style.
#ifndef EDGEWISE_DATASETS_S3_CLIENT_H_
#define EDGEWISE_DATASETS_S3_CLIENT_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "datasets/aws_settings.h"
#include "datasets/retry.h"
#include "datasets/s3_listing.h"
#include "fetch/client.h"

namespace edgewise {

// Its const members may be called from several threads at once.
class S3Bucket {
 public:
  S3Bucket(AwsSettings settings, std::string bucket)
      : settings_(std::move(settings)), bucket_(std::move(bucket)) {}

  // All objects whose names begin so, page by page; `go_on` is asked between
  // and while waiting. kCorrupt: more than a dataset has.
  Result<std::vector<S3Object>> List(fetch::Client& client,
                                     const std::string& prefix, Retries retries,
                                     const std::function<bool()>& go_on) const;
  // What asks for an object.
  fetch::Request ObjectRequest(const std::string& key) const;
  // What a refusal means, in one sentence.
  Error Explain(const fetch::Response& response) const;

 private:
  fetch::Request RequestTo(const std::string& path_and_query) const;
  Result<S3Page> ListPage(fetch::Client& client, const std::string& prefix,
                          const std::string& token, Retries retries,
                          const std::function<bool()>& go_on) const;

  AwsSettings settings_;
  std::string bucket_;
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_S3_CLIENT_H_
