// Store: Runs on disk, in one SQLite file under $EDGEWISE_HOME.
//
// Knows how Runs are kept and found; knows nothing of how they are made or
// shown. Several processes may use one store at once (WAL, busy timeout).
// A Run whose writer died is found at the next Open and marked interrupted.
#ifndef EDGEWISE_STORE_STORE_H_
#define EDGEWISE_STORE_STORE_H_

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "stacks/profile.h"
#include "store/digest.h"
#include "store/run.h"
#include "store/run_writer.h"

namespace edgewise {

// $EDGEWISE_HOME, else $XDG_DATA_HOME/edgewise, else ~/.local/share/edgewise.
std::filesystem::path DefaultHome();

// A new Run id: 12 lower-case hex digits from the kernel's random source.
std::string NewRunId();

struct ListFilter {
  std::string label = {};        // exact; empty for any
  std::string command_has = {};  // substring of the command line; empty for any
  std::string group = {};        // empty for any
  int limit = 0;                 // last stored first; 0 for all
};

// Age and order go by when a Run was stored, not by when its data began.
struct GcRequest {
  std::optional<int64_t> keep_age_ns = std::nullopt;  // older Runs are removed
  std::optional<int64_t> keep_bytes =
      std::nullopt;  // oldest are removed until it fits
  std::optional<int64_t> keep_count =
      std::nullopt;  // oldest are removed until it fits
  bool dry_run = false;
};

struct GcOutcome {
  int64_t removed_runs = 0;
  int64_t kept_runs = 0;
  int64_t bytes_before = 0;
  int64_t bytes_after = 0;  // equal to bytes_before in a dry run
};

class Store {
 public:
  // Opens or creates the store in a folder (made if needed), migrating an
  // older layout. A corrupt file is an error that says how to set it aside;
  // it is never deleted.
  static Result<Store> Open(const std::filesystem::path& home);

  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  // Starts a Run: `run.id` must be set; the document is stored at once with
  // state kRunning and this process as its owner.
  Result<RunWriter> Begin(const Run& run, const WriterLimits& limits = {});

  // Documents, the last stored first.
  Result<std::vector<Run>> List(const ListFilter& filter) const;
  // One Run by "last" (the last stored), "last~2", a full id, an unambiguous
  // prefix of at least 3 digits, or a label (the last stored with it).
  Result<Run> Find(std::string_view reference) const;

  Result<std::vector<SeriesInfo>> SeriesOf(const std::string& run_id) const;
  // All records of a series in the order of their time stamps' blocks.
  Result<std::vector<Span>> Spans(int64_t series) const;
  Result<std::vector<Job>> Jobs(int64_t series) const;
  Result<std::vector<Point>> Points(int64_t series) const;
  // The same block by block, for series too long to hold in memory.
  Result<void> ReadSpans(
      int64_t series,
      const std::function<void(std::span<const Span>)>& take) const;
  // What is known of records beyond those stored one by one; nullopt if there
  // are none (SeriesInfo::summarised is 0).
  Result<std::optional<SeriesDigest>> DigestOf(int64_t series) const;
  // Gives a stored Run its call stacks, which come late when whoever sampled
  // them was killed.
  Result<void> SetStacks(const std::string& run_id,
                         const stacks::StackProfile& profile);
  // Gives a stored Run its details, which are known only at the end.
  Result<void> SetDetails(const std::string& run_id,
                          const std::map<std::string, std::string>& details);
  // The Run's call stacks; nullopt if it has none.
  Result<std::optional<stacks::StackProfile>> StacksOf(
      const std::string& run_id) const;
  // The text of a Span::meta of a Run; empty for 0 or unknown ids.
  Result<std::string> MetaText(const std::string& run_id, uint32_t meta) const;

  // Removes a Run for good. One that is still being written is refused.
  Result<void> Remove(const std::string& run_id);
  // Removes what the request does not keep, oldest first, and gives the space
  // back to the file system. Runs that are being written always stay.
  Result<GcOutcome> CollectGarbage(const GcRequest& request,
                                   int64_t now_utc_ns);

  const std::filesystem::path& home() const;

 private:
  struct State;
  explicit Store(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_STORE_STORE_H_
