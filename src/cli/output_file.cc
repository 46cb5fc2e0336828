#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/unique_fd.h"
#include "base/write_all.h"
#include "cli/context.h"

namespace edgewise::cli {
namespace {

constexpr size_t kWriteAtBytes = size_t{256} << 10;
constexpr mode_t kNewFileMode = 0666;  // less the umask

}  // namespace

Result<OutputFile> OutputFile::Create(const std::string& path) {
  OutputFile file;
  file.path_ = path;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    // A pipe or a device is written to, never replaced.
    file.fd_.reset(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    return file.fd_.valid() ? Result<OutputFile>(std::move(file))
                            : Result<OutputFile>(file.Failed());
  }
  // Where a link leads, so that it stays a link.
  std::error_code ignored;
  if (std::filesystem::is_symlink(path, ignored)) {
    const std::filesystem::path link(path);
    file.path_ = exists ? std::filesystem::canonical(link, ignored).string()
                        : (link.parent_path() /
                           std::filesystem::read_symlink(link, ignored))
                              .string();
  }
  file.partial_ = file.path_ + ".XXXXXX";
  file.fd_.reset(::mkostemp(file.partial_.data(), O_CLOEXEC));
  if (!file.fd_.valid()) {
    file.partial_.clear();
    file.path_ = path;
    return file.Failed();
  }
  const mode_t umask_now = ::umask(0);
  ::umask(umask_now);
  ::fchmod(file.fd_.get(),
           exists ? status.st_mode & 07777 : kNewFileMode & ~umask_now);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      partial_(std::exchange(other.partial_, std::string())),
      fd_(std::move(other.fd_)),
      buffer_(std::move(other.buffer_)),
      error_number_(other.error_number_) {}

OutputFile::~OutputFile() {
  if (!partial_.empty()) {
    ::unlink(partial_.c_str());
  }
}

Error OutputFile::Failed() const {
  return {ErrorCodeFromErrno(errno),
          "cannot write " + path_ + ": " + ErrnoText(errno)};
}

void OutputFile::Write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kWriteAtBytes) {
    Flush();
  }
}

void OutputFile::Flush() {
  if (error_number_ == 0) {
    error_number_ = WriteAll(fd_.get(), buffer_);
  }
  buffer_.clear();
}

Result<void> OutputFile::Finish() {
  Flush();
  if (error_number_ == 0 && ::close(fd_.release()) != 0) {
    error_number_ = errno;
  }
  if (error_number_ == 0 && !partial_.empty()) {
    if (::rename(partial_.c_str(), path_.c_str()) == 0) {
      partial_.clear();
    } else {
      error_number_ = errno;
    }
  }
  if (error_number_ != 0) {
    errno = error_number_;
    return Failed();
  }
  return {};
}

Result<void> WriteOutput(const std::string& path, std::string_view text) {
  if (path == "-") {
    Print(text);
    return {};
  }
  auto file = OutputFile::Create(path);
  if (!file) {
    return file.error();
  }
  file->Write(text);
  return file->Finish();
}

Result<void> CheckOutput(const std::string& path) {
  if (path.empty() || path == "-") {
    return {};
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  // Opening and closing a pipe would tell its reader that all was written.
  if (exists && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    return {};
  }
  const auto file = OutputFile::Create(path);
  return file ? Result<void>() : Result<void>(file.error());
}

Result<void> MakeOutputFolder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (fs::exists(path, failed) && !fs::is_directory(path, failed)) {
    return Error{ErrorCode::kInvalid,
                 "cannot write several files to " + path + ": it is no folder"};
  }
  fs::create_directories(path, failed);
  if (failed) {
    return Error{ErrorCodeFromErrno(failed.value()),
                 "cannot make the folder " + path + ": " + failed.message()};
  }
  return {};
}

}  // namespace edgewise::cli
