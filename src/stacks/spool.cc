#include "stacks/spool.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <type_traits>
#include <utility>

#include "base/write_all.h"
#include "stacks/spool_records.h"

namespace edgewise::stacks {
namespace {

constexpr size_t kWriteAtBytes = size_t{256} << 10;

class Packer {
 public:
  template <typename T>
  Packer& Put(T value) {
    static_assert(std::is_integral_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  Packer& Text(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

template <typename T>
std::string_view BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(T)};
}

}  // namespace

std::string SpoolHeader() { return std::string(kSpoolMagic); }

SpoolWriter::SpoolWriter(UniqueFd fd, uint64_t max_bytes)
    : fd_(std::move(fd)), max_bytes_(max_bytes), buffer_(kSpoolMagic) {
  bytes_ = buffer_.size();
}

Result<SpoolWriter> SpoolWriter::Create(const std::filesystem::path& path,
                                        uint64_t max_bytes) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                     S_IRUSR | S_IWUSR));
  if (!fd.valid()) {
    return Error{
        ErrorCodeFromErrno(errno),
        "cannot create the stack spool " + path.string() + ": " + ErrnoText()};
  }
  return SpoolWriter(std::move(fd), max_bytes);
}

void SpoolWriter::Append(uint32_t type,
                         std::initializer_list<std::string_view> pieces) {
  uint64_t payload_bytes = 0;
  for (const std::string_view piece : pieces) {
    payload_bytes += piece.size();
  }
  const uint64_t size = payload_bytes + 2 * sizeof(uint32_t);
  const bool is_sample = type == kSampleRecord;
  if (failed_ || (is_sample && bytes_ + size > max_bytes_)) {
    dropped_samples_ += is_sample ? 1 : 0;
    return;
  }
  const uint32_t head[2] = {type, static_cast<uint32_t>(payload_bytes)};
  buffer_.append(reinterpret_cast<const char*>(head), sizeof head);
  for (const std::string_view piece : pieces) {
    buffer_ += piece;
  }
  bytes_ += size;
  if (buffer_.size() >= kWriteAtBytes) {
    (void)Flush();
  }
}

Result<void> SpoolWriter::Flush() {
  const int error = failed_ ? 0 : WriteAll(fd_.get(), buffer_);
  buffer_.clear();
  if (error != 0) {
    failed_ = true;
    return Error{ErrorCode::kIo,
                 "the stack spool could not be written: " + ErrnoText(error)};
  }
  return {};
}

void SpoolWriter::Add(const SpooledFile& file) {
  Packer packer;
  packer.Put(file.id).Put(file.device).Put(file.inode);
  packer.Text(file.path).Text(file.why_not);
  Append(kFileRecord, {packer.bytes()});
}

void SpoolWriter::Add(const SpooledMap& map) {
  Packer packer;
  packer.Put(map.pid).Put(map.start).Put(map.length).Put(map.file_offset);
  packer.Put(map.file);
  Append(kMapRecord, {packer.bytes()});
}

void SpoolWriter::Add(const SpooledLife& life) {
  Packer packer;
  packer.Put(static_cast<uint32_t>(life.event)).Put(life.pid).Put(life.tid);
  packer.Put(life.parent).Put(life.file).Text(life.name);
  Append(kLifeRecord, {packer.bytes()});
}

void SpoolWriter::Add(const SpooledPythonCode& code) {
  Packer packer;
  packer.Put(code.id).Put(code.first_line).Text(code.function).Text(code.file);
  Append(kPythonCodeRecord, {packer.bytes()});
}

void SpoolWriter::Add(const SpooledSample& sample) {
  Packer packer;
  packer.Put(sample.pid).Put(sample.tid).Put(sample.time_ns);
  packer.Put(sample.weight).Put(sample.python_state).Put(sample.user_ip);
  packer.Put(static_cast<uint32_t>(sample.kernel.size()));
  packer.Put(static_cast<uint32_t>(sample.registers.size()));
  packer.Put(static_cast<uint32_t>(sample.python.size()));
  Append(kSampleRecord,
         {packer.bytes(), BytesOf(sample.kernel), BytesOf(sample.registers),
          BytesOf(sample.python), sample.stack});
}

void SpoolWriter::Add(const SpooledLoss& loss) {
  Packer packer;
  packer.Put(loss.samples);
  Append(kLossRecord, {packer.bytes()});
}

}  // namespace edgewise::stacks
