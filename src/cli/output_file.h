// Output that goes to a file by name, or to stdout.
#ifndef EDGEWISE_CLI_OUTPUT_FILE_H_
#define EDGEWISE_CLI_OUTPUT_FILE_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise::cli {

// A file that appears under its name when it is whole: it is written beside
// it first, and a failure leaves no half of one. A file that is there keeps its
// permissions, a link stays one; pipes and devices are written to as they are.
class OutputFile {
 public:
  static Result<OutputFile> Create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  // A failure is kept for Finish.
  void Write(std::string_view text);
  Result<void> Finish();

 private:
  OutputFile() = default;
  Error Failed() const;
  void Flush();

  std::string path_;
  std::string partial_;  // empty: `path_` itself is written, or is done
  UniqueFd fd_;
  std::string buffer_;
  int error_number_ = 0;
};

// Writes all of `text` under `path`, or to stdout for "-".
Result<void> WriteOutput(const std::string& path, std::string_view text);

// Before long work whose result goes there: whether it could be written as
// things are. Nothing is left of the attempt. An empty name is fine.
Result<void> CheckOutput(const std::string& path);

// Makes the folder that several files go to, unless it is there.
Result<void> MakeOutputFolder(const std::string& path);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_OUTPUT_FILE_H_
