// Output that goes to a file by name, or to stdout.
#ifndef EDGEWISE_CLI_OUTPUT_FILE_H_
#define EDGEWISE_CLI_OUTPUT_FILE_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::cli {

// Writes all of `text` under `path`, or to stdout for "-". A file is written
// beside it first and then renamed: a failure leaves no half of one.
Result<void> WriteOutput(const std::string& path, std::string_view text);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_OUTPUT_FILE_H_
