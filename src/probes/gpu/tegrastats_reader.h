// TegrastatsReader: runs tegrastats and reads its lines; starts it again if it
// dies.
//
// The program dies with this process, whatever ends it. Reading never blocks.
// Not thread-safe; must be made, used and destroyed by one thread that lives as
// long as the reader.
#ifndef EDGEWISE_PROBES_GPU_TEGRASTATS_READER_H_
#define EDGEWISE_PROBES_GPU_TEGRASTATS_READER_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "probes/gpu/tegrastats_line.h"

namespace edgewise {

class TegrastatsReader {
 public:
  // `program`: its path. Nothing runs before the first Poll.
  TegrastatsReader(std::string program, int interval_ms);
  ~TegrastatsReader();
  TegrastatsReader(const TegrastatsReader&) = delete;
  TegrastatsReader& operator=(const TegrastatsReader&) = delete;

  // The newest whole line since the last call, if one came; what is older is
  // passed over.
  std::optional<TegraStats> Poll(int64_t now_ns);

  int64_t lines() const { return lines_; }        // that could be read
  int64_t restarts() const { return restarts_; }  // after it had died
  // Readable when a line came; -1 while nothing runs.
  int fd() const { return output_.get(); }

 private:
  void Start(int64_t now_ns);
  // Ends what runs and collects it.
  void End();

  std::string program_;
  int interval_ms_;
  pid_t pid_ = -1;
  UniqueFd output_;
  std::string partial_;
  bool started_before_ = false;
  int64_t next_start_ns_ = 0;
  int64_t lines_ = 0;
  int64_t restarts_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_GPU_TEGRASTATS_READER_H_
