// AppFile: an application as it is shipped, and how it is to be profiled
// (docs/formats/app.md).
//
// The room `appfile` knows what such files say, not how anything is run: it
// starts nothing and looks at no image.
#ifndef EDGEWISE_APPFILE_APP_FILE_H_
#define EDGEWISE_APPFILE_APP_FILE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "impair/impairment.h"

namespace edgewise {

enum class EngineChoice { kAuto, kPodman, kDocker };
std::optional<EngineChoice> ParseEngineChoice(std::string_view word);
const char* EngineChoiceName(EngineChoice engine);

// What counts as ready (for an app: as warm). One of the four is set.
struct Readiness {
  std::string log;          // a line of its output contains this
  std::optional<int> port;  // it listens on this TCP port
  std::string file;         // this file is there, as the program itself sees it
  std::optional<int64_t> after_ns;  // so long after its start
  // What is not ready within this time never gets ready.
  int64_t within_ns = 60 * kNsPerSecond;

  // "log \"model loaded\"", "port 8554", "file /run/ready", "2 s".
  std::string Text() const;
  bool operator==(const Readiness&) const = default;
};

// What a program may use; unset means: as the system has it.
struct Limits {
  std::optional<double> cpu_cores;  // a quota
  std::optional<int64_t> memory_bytes;
  std::vector<int> cores;            // those it may run on
  std::vector<std::string> devices;  // "/dev/video0", as the engine takes them
  bool operator==(const Limits&) const = default;
};

// Where a dataset comes from; datasets/dataset.h fetches it.
struct AppData {
  std::string source;           // folder, archive, http(s):// or s3://
  std::string sha256;           // of its content; empty: not checked
  std::string mount = "/data";  // where a container sees it, read-only
  bool operator==(const AppData&) const = default;
};

// A program that must run beside the app; accounted apart.
struct Companion {
  std::string name;
  std::string image;                 // or
  std::vector<std::string> command;  // a program of this machine
  std::vector<std::string> args;     // after the image's entrypoint or command
  std::vector<std::string> engine_args;
  std::map<std::string, std::string> env;
  Limits limits;
  std::optional<Readiness> ready;  // nullopt: as soon as it runs
};

// One configuration to run, complete: what the file says for all is merged in.
struct AppTarget {
  std::string name;               // empty if the file has no `targets`
  std::vector<std::string> args;  // may contain "{data}"
  std::map<std::string, std::string> env;
  std::optional<AppData> data;
  std::optional<int64_t> timeout_ns;  // nullopt: none
};

struct AppFile {
  std::string name;
  std::string version;               // empty: the image's tag, if it has one
  std::string image;                 // as the engine knows it; or
  std::vector<std::string> command;  // a program of this machine, no engine
  EngineChoice engine = EngineChoice::kAuto;
  // For the engine, before the image's name: "-v", "./a:/b:ro".
  std::vector<std::string> engine_args;
  std::optional<Readiness> ready;
  std::vector<Companion> needs;
  Impairment network;
  Limits limits;
  bool stacks = false;
  bool gpu_summary = false;
  std::vector<AppTarget> targets;  // never empty
  // What relative paths of the file are relative to; empty: the current folder.
  std::filesystem::path folder;

  // `version`, or the tag of the image; empty if there is neither.
  std::string Version() const;
};

// Reads both forms: the one of this program, and `profiling:` within the
// description that an app has in the code repository. `origin` is what errors
// call the text. In the second form an image or command may be missing.
Result<AppFile> ReadAppFile(std::string_view yaml, const std::string& origin);
// The same from a file; sets `folder`.
Result<AppFile> LoadAppFile(const std::filesystem::path& path);

// kInvalid if there is neither image nor command; `origin` as above.
Result<void> CheckRunnable(const AppFile& app, const std::string& origin);

// The arguments with "{data}" replaced by the folder of the dataset.
std::vector<std::string> WithData(const std::vector<std::string>& args,
                                  const std::string& folder);

}  // namespace edgewise

#endif  // EDGEWISE_APPFILE_APP_FILE_H_
