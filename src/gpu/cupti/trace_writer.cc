#include "gpu/cupti/trace_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace edgewise::gpu {
namespace {

constexpr size_t kMostNameBytes = 1024;
constexpr size_t kWriteBytes = 1 << 18;
// Kept free for the account at the end.
constexpr uint64_t kSpareBytes = 4096;

}  // namespace

TraceWriter::TraceWriter(const std::string& folder, uint64_t most_bytes)
    : most_bytes_(most_bytes) {
  const std::string path =
      folder + "/" + std::to_string(::getpid()) + kTraceSuffix;
  fd_ = ::open(path.c_str(),
               O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

TraceWriter::~TraceWriter() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

void TraceWriter::Begin(const TraceHeader& header) {
  const std::lock_guard lock(mutex_);
  pending_.append(reinterpret_cast<const char*>(&header), sizeof header);
  WriteOut();
}

void TraceWriter::Problem(std::string_view text) {
  const std::lock_guard lock(mutex_);
  ProblemRecord record{};
  record.head.kind = static_cast<uint32_t>(RecordKind::kProblem);
  record.length = static_cast<uint32_t>(text.size());
  record.head.size =
      static_cast<uint32_t>(sizeof record + (text.size() + 7) / 8 * 8);
  AppendText(&record, sizeof record, text);
  WriteOut();
}

void TraceWriter::AppendText(const void* record, size_t size,
                             std::string_view text) {
  pending_.append(static_cast<const char*>(record), size);
  pending_.append(text);
  pending_.append((8 - text.size() % 8) % 8, '\0');
}

uint32_t TraceWriter::Name(std::string_view name) {
  name = name.substr(0, kMostNameBytes);
  const std::lock_guard lock(mutex_);
  const auto id = static_cast<uint32_t>(names_.size() + 1);
  const auto [place, is_new] = names_.try_emplace(std::string(name), id);
  if (is_new) {
    NameRecord record{};
    record.head.kind = static_cast<uint32_t>(RecordKind::kName);
    record.head.size =
        static_cast<uint32_t>(sizeof record + (name.size() + 7) / 8 * 8);
    record.id = id;
    record.length = static_cast<uint32_t>(name.size());
    AppendText(&record, sizeof record, name);
  }
  return place->second;
}

void TraceWriter::Append(const void* bytes, size_t size) {
  const std::lock_guard lock(mutex_);
  if (written_bytes_ + pending_.size() + size + kSpareBytes > most_bytes_) {
    ++left_out_;
    return;
  }
  pending_.append(static_cast<const char*>(bytes), size);
  if (pending_.size() >= kWriteBytes) {
    WriteOut();
  }
}

void TraceWriter::WriteOut() {
  size_t done = 0;
  while (fd_ >= 0 && done < pending_.size()) {
    const ssize_t wrote =
        ::write(fd_, pending_.data() + done, pending_.size() - done);
    if (wrote < 0 && errno == EINTR) {
      continue;
    }
    if (wrote <= 0) {
      most_bytes_ = 0;  // the disk is full: what follows is left out
      break;
    }
    done += static_cast<size_t>(wrote);
  }
  written_bytes_ += done;
  pending_.clear();
}

void TraceWriter::Flush(uint64_t dropped, uint64_t writing_ns,
                        uint64_t overhead_ns) {
  const std::lock_guard lock(mutex_);
  AccountRecord account{};
  account.head = {static_cast<uint32_t>(RecordKind::kAccount), sizeof account};
  account.dropped = dropped;
  account.left_out = left_out_;
  account.writing_ns = writing_ns;
  account.overhead_ns = overhead_ns;
  pending_.append(reinterpret_cast<const char*>(&account), sizeof account);
  WriteOut();
}

}  // namespace edgewise::gpu
