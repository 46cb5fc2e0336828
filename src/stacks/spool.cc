#include "stacks/spool.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

namespace edgewise::stacks {
namespace {

constexpr std::string_view kMagic = "edgewise spool 1";
constexpr size_t kWriteAtBytes = size_t{256} << 10;
// More than any record that a writer makes.
constexpr uint32_t kMaxRecordBytes = 1 << 20;

enum RecordType : uint32_t {
  kFileRecord = 1,
  kMapRecord = 2,
  kLifeRecord = 3,
  kPythonCodeRecord = 4,
  kSampleRecord = 5,
  kLossRecord = 6,
};

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

// Takes apart what a Packer made; `ok` turns false at the first thing that is
// not there.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : rest_(bytes) {}
  template <typename T>
  void Get(T* value) {
    const std::string_view bytes = Take(sizeof(T));
    if (ok) {
      std::memcpy(value, bytes.data(), sizeof(T));
    }
  }
  std::string_view Take(size_t size) {
    if (size > rest_.size()) {
      ok = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  std::string_view Text() {
    uint32_t size = 0;
    Get(&size);
    return Take(ok ? size : 0);
  }
  // `count` values of type T, or none if they are not all there.
  template <typename T>
  void Array(uint32_t count, std::vector<T>* values) {
    values->clear();
    const std::string_view bytes = Take(size_t{count} * sizeof(T));
    if (ok && count > 0) {
      values->resize(count);
      std::memcpy(values->data(), bytes.data(), bytes.size());
    }
  }
  bool done() const { return ok && rest_.empty(); }
  bool ok = true;

 private:
  std::string_view rest_;
};

template <typename T>
std::string_view BytesOf(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(T)};
}

}  // namespace

std::string SpoolHeader() { return std::string(kMagic); }

SpoolWriter::SpoolWriter(UniqueFd fd, uint64_t max_bytes)
    : fd_(std::move(fd)), max_bytes_(max_bytes), buffer_(kMagic) {
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
  std::string_view rest = buffer_;
  while (!rest.empty() && !failed_) {
    const ssize_t written = ::write(fd_.get(), rest.data(), rest.size());
    if (written > 0) {
      rest.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      failed_ = true;
    }
  }
  buffer_.clear();
  if (failed_) {
    return Error{ErrorCode::kIo,
                 "the stack spool could not be written: " + ErrnoText()};
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

Result<SpoolReader> SpoolReader::Open(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
    return Error{
        ErrorCodeFromErrno(errno),
        "cannot read the stack spool " + path.string() + ": " + ErrnoText()};
  }
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) {
    return SpoolReader(std::string_view());
  }
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (mapped == MAP_FAILED) {
    return Error{ErrorCode::kIo, "cannot read the stack spool " +
                                     path.string() + ": " + ErrnoText()};
  }
  ::madvise(mapped, size, MADV_SEQUENTIAL);
  SpoolReader reader(std::string_view(static_cast<const char*>(mapped), size));
  reader.mapped_ = mapped;
  reader.mapped_bytes_ = size;
  return reader;
}

SpoolReader::SpoolReader(std::string_view bytes)
    : all_(bytes.starts_with(kMagic) ? bytes.substr(kMagic.size())
                                     : std::string_view()),
      rest_(all_) {}

SpoolReader::SpoolReader(SpoolReader&& other) noexcept
    : all_(std::exchange(other.all_, {})),
      rest_(std::exchange(other.rest_, {})),
      mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_bytes_(other.mapped_bytes_) {}

SpoolReader& SpoolReader::operator=(SpoolReader&& other) noexcept {
  std::swap(all_, other.all_);
  std::swap(rest_, other.rest_);
  std::swap(mapped_, other.mapped_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  return *this;
}

SpoolReader::~SpoolReader() {
  if (mapped_ != nullptr) {
    ::munmap(mapped_, mapped_bytes_);
  }
}

SpoolReader::Kind SpoolReader::Next() { return Read(true); }

SpoolReader::Kind SpoolReader::NextButSamples() { return Read(false); }

SpoolReader::Kind SpoolReader::Read(bool with_samples) {
  Unpacker head(rest_);
  uint32_t type = 0;
  uint32_t size = 0;
  head.Get(&type);
  head.Get(&size);
  const std::string_view payload = head.Take(size);
  if (!head.ok || size > kMaxRecordBytes) {
    rest_ = {};
    return Kind::kEnd;
  }
  rest_.remove_prefix(2 * sizeof(uint32_t) + size);
  if (type == kSampleRecord && !with_samples) {
    return Kind::kSample;
  }
  Unpacker unpacker(payload);
  Kind kind = Kind::kEnd;
  switch (type) {
    case kFileRecord:
      kind = Kind::kFile;
      unpacker.Get(&file.id);
      unpacker.Get(&file.device);
      unpacker.Get(&file.inode);
      file.path = unpacker.Text();
      file.why_not = unpacker.Text();
      break;
    case kMapRecord:
      kind = Kind::kMap;
      unpacker.Get(&map.pid);
      unpacker.Get(&map.start);
      unpacker.Get(&map.length);
      unpacker.Get(&map.file_offset);
      unpacker.Get(&map.file);
      break;
    case kLifeRecord: {
      kind = Kind::kLife;
      uint32_t event = 0;
      unpacker.Get(&event);
      unpacker.ok = unpacker.ok && event >= 1 && event <= 5;
      life.event = static_cast<LifeEvent>(unpacker.ok ? event : 1);
      unpacker.Get(&life.pid);
      unpacker.Get(&life.tid);
      unpacker.Get(&life.parent);
      unpacker.Get(&life.file);
      life.name = unpacker.Text();
      break;
    }
    case kPythonCodeRecord:
      kind = Kind::kPythonCode;
      unpacker.Get(&python_code.id);
      unpacker.Get(&python_code.first_line);
      python_code.function = unpacker.Text();
      python_code.file = unpacker.Text();
      break;
    case kSampleRecord: {
      kind = Kind::kSample;
      uint32_t kernel = 0;
      uint32_t registers = 0;
      uint32_t python = 0;
      unpacker.Get(&sample.pid);
      unpacker.Get(&sample.tid);
      unpacker.Get(&sample.time_ns);
      unpacker.Get(&sample.weight);
      unpacker.Get(&sample.python_state);
      unpacker.Get(&sample.user_ip);
      unpacker.Get(&kernel);
      unpacker.Get(&registers);
      unpacker.Get(&python);
      unpacker.Array(kernel, &sample.kernel);
      unpacker.Array(registers, &sample.registers);
      unpacker.Array(python, &sample.python);
      unpacker.ok =
          unpacker.ok && (registers == 0 ||
                          registers == static_cast<uint32_t>(
                                           std::popcount(kSampledRegisters)));
      const size_t used = 44 + kernel * sizeof(uint64_t) +
                          registers * sizeof(uint64_t) +
                          python * sizeof(SpooledPythonFrame);
      sample.stack = unpacker.ok ? payload.substr(used) : std::string_view();
      (void)unpacker.Take(sample.stack.size());
      break;
    }
    case kLossRecord:
      kind = Kind::kLoss;
      unpacker.Get(&loss.samples);
      break;
    default:
      break;
  }
  if (kind == Kind::kEnd || !unpacker.done()) {
    rest_ = {};
    return Kind::kEnd;
  }
  return kind;
}

}  // namespace edgewise::stacks
