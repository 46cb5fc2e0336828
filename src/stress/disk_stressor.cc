#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "base/unique_fd.h"
#include "stress/rated_work.h"
#include "stress/stressors.h"

namespace edgewise {
namespace {

constexpr size_t kPieceBytes = size_t{128} << 10;
constexpr int64_t kFileBytes = int64_t{64} << 20;  // written over and over
constexpr size_t kAlignment = 4096;
constexpr long kTmpfsMagic = 0x01021994;
constexpr long kRamfsMagic = static_cast<long>(0x858458f6);

struct Freed {
  void operator()(char* memory) const { std::free(memory); }
};

// A file without a name: nothing is left behind whatever happens.
Result<UniqueFd> OpenNameless(const std::filesystem::path& folder, int flags) {
  UniqueFd fd(
      ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | flags, 0600));
  if (fd.valid()) {
    return fd;
  }
  if (errno != EOPNOTSUPP && errno != EISDIR) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot make a file in " + folder.string() + ": " +
                     ErrnoText() + "; name another folder with --folder"};
  }
  std::string name = (folder / "edgewise-stress-XXXXXX").string();
  fd.reset(::mkostemp(name.data(), O_CLOEXEC | flags));
  if (!fd.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot make a file in " + folder.string() + ": " +
                     ErrnoText() + "; name another folder with --folder"};
  }
  ::unlink(name.c_str());
  return fd;
}

class DiskStressor : public Stressor {
 public:
  DiskStressor(const StressSettings& settings, UniqueFd file, bool direct)
      : settings_(settings),
        file_(std::move(file)),
        direct_(direct),
        memory_(
            static_cast<char*>(std::aligned_alloc(kAlignment, kPieceBytes))) {
    std::fill_n(memory_.get(), kPieceBytes, 'e');
  }

  Result<StressOutcome> Press(const StopClock& stop) override {
    RatedWork work;
    work.name = "written";
    work.hint =
        "others use the disk as well, or it became slower (its own cache "
        "full, thermal limits)";
    work.pieces.emplace_back([this] { return Write(); });
    StressOutcome outcome = ApplyRate(stop, settings_.spec.dial_percent, work);
    if (error_number_ != 0) {
      return Error{ErrorCodeFromErrno(error_number_),
                   "writing to the disk failed: " + ErrnoText(error_number_) +
                       "; name another folder with --folder"};
    }
    return outcome;
  }

 private:
  double Write() {
    if (::pwrite(file_.get(), memory_.get(), kPieceBytes, at_) !=
            static_cast<ssize_t>(kPieceBytes) ||
        (!direct_ && ::fdatasync(file_.get()) != 0)) {
      error_number_ = errno != 0 ? errno : ENOSPC;
      return -1;
    }
    at_ = (at_ + static_cast<int64_t>(kPieceBytes)) % kFileBytes;
    return static_cast<double>(kPieceBytes);
  }

  StressSettings settings_;
  UniqueFd file_;
  bool direct_;  // past the page cache; else each piece is flushed
  std::unique_ptr<char, Freed> memory_;
  int64_t at_ = 0;
  int error_number_ = 0;
};

}  // namespace

MadeStressor MakeDiskStressor(const StressSettings& settings) {
  std::filesystem::path folder = settings.folder;
  if (folder.empty()) {
    const char* temporary = std::getenv("TMPDIR");
    folder =
        temporary != nullptr && *temporary != '\0' ? temporary : "/var/tmp";
  }
  struct statfs system {};
  if (::statfs(folder.c_str(), &system) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot use " + folder.string() + ": " + ErrnoText() +
                     "; name another folder with --folder"};
  }
  if (system.f_type == kTmpfsMagic || system.f_type == kRamfsMagic) {
    return Error{ErrorCode::kInvalid,
                 folder.string() +
                     " is in memory: name a folder on a disk with --folder"};
  }
  auto file = OpenNameless(folder, O_DIRECT);
  const bool direct = file.ok();
  if (!direct) {
    file = OpenNameless(folder, 0);
  }
  if (!file) {
    return file.error();
  }
  return std::unique_ptr<Stressor>(
      std::make_unique<DiskStressor>(settings, std::move(*file), direct));
}

}  // namespace edgewise
