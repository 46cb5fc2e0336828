// RunningCompanion: a program that an app needs beside it, from its start to
// its end, and what it used; it is no part of the app's own account.
//
// It has a guardian of its own, so that it is ended whatever happens.
#ifndef EDGEWISE_PROFILING_COMPANION_H_
#define EDGEWISE_PROFILING_COMPANION_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "appfile/app_file.h"
#include "base/result.h"
#include "containers/engine.h"

namespace edgewise {

struct CompanionUse {
  std::optional<double> cpu_s;
  std::optional<int64_t> peak_bytes;  // of memory, page cache included
};

class RunningCompanion {
 public:
  struct Place {
    std::filesystem::path home;      // where sessions are noted
    std::filesystem::path folder;    // of the app file
    const Engine* engine = nullptr;  // needed if it is an image
    std::string network;             // empty: as the engine has it
  };

  // Starts it and waits until it is ready. Errors: it cannot be started, ends
  // before it is ready, or never gets ready; they carry the end of its output.
  static Result<std::unique_ptr<RunningCompanion>> Start(
      const Companion& companion, const Place& place);
  ~RunningCompanion();
  RunningCompanion(const RunningCompanion&) = delete;
  RunningCompanion& operator=(const RunningCompanion&) = delete;

  const std::string& name() const;
  // The container's name; empty for a program of this machine.
  std::string container_name() const;
  // A sentence if it has ended.
  std::optional<Error> Problem();
  // What it uses counts from now on.
  void CountFromNow();
  CompanionUse Use();

 private:
  struct State;
  explicit RunningCompanion(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROFILING_COMPANION_H_
