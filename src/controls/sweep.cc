// SweepStale: see guardian.h.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "controls/guardian.h"
#include "controls/journal.h"
#include "controls/remains.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// A ".tmp" is visible for an instant only; one older than this is forgotten.
constexpr int64_t kForgottenNs = 60 * kNsPerSecond;

bool IsForgotten(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 &&
         UtcNs() - int64_t{status.st_mtim.tv_sec} * kNsPerSecond > kForgottenNs;
}

// Whether a session may still be alive. Pids of another pid namespace mean
// nothing here: such a session is left alone until the next boot.
bool MayBeAlive(const JournalRecord& record) {
  if (record.boot_id != CurrentBootId()) {
    return false;
  }
  return record.pid_namespace != CurrentPidNamespace() ||
         IsAlive(record.session) || IsAlive(record.guardian);
}

// True if the entry was a stale session and is cleared away.
Result<bool> SweepEntry(const fs::path& journal) {
  const UniqueFd fd(
      open(journal.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.valid()) {
    return false;
  }
  // Of two sweeps at once one does the work.
  struct stat status {};
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0 ||
      fstat(fd.get(), &status) != 0 || status.st_nlink == 0 ||
      !S_ISREG(status.st_mode)) {
    return false;
  }
  const auto text = ReadFile(journal);
  if (!text) {
    return text.error().code == ErrorCode::kNotFound ? Result<bool>(false)
                                                     : text.error();
  }
  const auto record = ParseJournal(*text);
  if (!record) {
    // Journals are complete from the start, so a damaged one has no session
    // that could be told apart from others: only the file can go.
    if (journal.extension() == ".tmp" && !IsForgotten(fd.get())) {
      return false;
    }
    unlink(journal.c_str());
    return true;
  }
  if (MayBeAlive(*record)) {
    return false;
  }
  if (auto cleared = ClearRemains(*record, journal, nullptr); !cleared) {
    return cleared.error();
  }
  return true;
}

}  // namespace

Result<int> SweepStale(const fs::path& home) {
  std::error_code error;
  std::vector<fs::path> journals;
  for (fs::directory_iterator entry(home / "sessions", error), end;
       !error && entry != end; entry.increment(error)) {
    journals.push_back(entry->path());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return Error{
        ErrorCodeFromErrno(error.value()),
        "cannot read " + (home / "sessions").string() + ": " + error.message()};
  }
  int swept = 0;
  std::optional<Error> first_error;
  for (const fs::path& journal : journals) {
    const auto done = SweepEntry(journal);
    if (done) {
      swept += *done ? 1 : 0;
    } else if (!first_error) {
      first_error = done.error();
    }
  }
  if (first_error) {
    return *first_error;
  }
  return swept;
}

}  // namespace edgewise
