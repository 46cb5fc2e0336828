// AwsSettings: how to reach an object store, as its other tools are told.
#ifndef EDGEWISE_DATASETS_AWS_SETTINGS_H_
#define EDGEWISE_DATASETS_AWS_SETTINGS_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "fetch/client.h"

namespace edgewise {

struct AwsSettings {
  // nullopt: none are set; public buckets need none.
  std::optional<fetch::SigningKey> key;
  std::string key_from;  // "AWS_ACCESS_KEY_ID", "the profile lab in FILE"
  std::string region;
  std::string endpoint;  // http(s)://HOST[:PORT], without '/' at its end
  std::string ca_file;   // empty: the system's list
};

// The value of a variable; nullopt where it is unset or empty.
using Variables =
    std::function<std::optional<std::string>(const std::string& name)>;
std::optional<std::string> ProcessVariable(const std::string& name);

// From AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION,
// AWS_ENDPOINT_URL[_S3] and their kin, else from the profile AWS_PROFILE of
// ~/.aws/credentials and ~/.aws/config. kInvalid names what is missing.
Result<AwsSettings> ReadAwsSettings(const Variables& variable);

// The sections of such a file: names as between the brackets, without
// "profile "; values below an indented block are named "BLOCK.NAME". Lines that
// are none of it are passed over.
using AwsFile = std::map<std::string, std::map<std::string, std::string>>;
AwsFile ParseAwsFile(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_AWS_SETTINGS_H_
