// Fetching many objects at once.
#ifndef EDGEWISE_DATASETS_S3_OBJECTS_H_
#define EDGEWISE_DATASETS_S3_OBJECTS_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "datasets/s3_client.h"
#include "datasets/sources.h"

namespace edgewise {

struct WantedObject {
  S3Object object;
  std::string name;  // below the dataset's folder; safe
};

// Fetches them to `folder`/files. What an earlier call fetched of the same
// versions stays, what is not wanted goes. `folder` is held by the caller.
Result<void> FetchObjects(const S3Bucket& bucket,
                          const std::vector<WantedObject>& objects,
                          const std::filesystem::path& folder,
                          const DatasetRequest& request);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_S3_OBJECTS_H_
