// The part of the spool that reads.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "stacks/spool.h"
#include "stacks/spool_records.h"

namespace edgewise::stacks {
namespace {

// More than any record that a writer makes.
constexpr uint32_t kMaxRecordBytes = 1 << 20;

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

}  // namespace

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
    : all_(bytes.starts_with(kSpoolMagic) ? bytes.substr(kSpoolMagic.size())
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
