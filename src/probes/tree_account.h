// TreeAccount: sums over processes that come and go.
//
// Pure bookkeeping. The kernel adds what a process used to its parent's
// "children" counters when the parent waits for it, which is the only trace of
// processes that live shorter than the time between two looks; but parents
// that ignore SIGCHLD never get it. So two lower bounds are kept, and the
// larger one counts:
//   seen:   what every process ever looked at used itself;
//   waited: what live processes and the children they waited for used, plus
//           the same for ended processes whose parents are not in the tree.
// The total of each field never goes backwards.
#ifndef EDGEWISE_PROBES_TREE_ACCOUNT_H_
#define EDGEWISE_PROBES_TREE_ACCOUNT_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace edgewise {

struct ResourceUse {
  int64_t cpu_ns = 0;  // precise; user and system count in ticks of 10 ms
  int64_t user_ns = 0;
  int64_t system_ns = 0;
  int64_t minor_faults = 0;
  int64_t major_faults = 0;
  int64_t read_bytes = 0;   // from storage
  int64_t write_bytes = 0;  // to storage

  ResourceUse& operator+=(const ResourceUse& other);
  ResourceUse& operator-=(const ResourceUse& other);
  // Field by field.
  ResourceUse& RaiseTo(const ResourceUse& least);
};

class TreeAccount {
 public:
  // A look at a process: what it used itself, and what the children that it
  // waited for used, since their starts. The first look makes it a member;
  // with `from_now` what it had used until then does not count.
  void Update(pid_t pid, pid_t parent, const ResourceUse& own,
              const ResourceUse& waited, bool from_now);
  // These members have ended; their last look counts. All that ended since
  // the last look go into one call, so that parent and child may end together.
  void Leave(const std::vector<pid_t>& pids);
  // What all members used, those that ended included.
  ResourceUse Total();

 private:
  struct Member {
    pid_t parent = 0;
    ResourceUse own;
    ResourceUse waited;
    ResourceUse own_before;     // not ours to count
    ResourceUse waited_before;  // not ours to count
  };

  std::unordered_map<pid_t, Member> members_;
  ResourceUse ended_seen_;
  ResourceUse ended_waited_;
  ResourceUse last_total_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_TREE_ACCOUNT_H_
