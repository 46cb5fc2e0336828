#include "sessions/gpu_tracing.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/module.h"
#include "base/units.h"
#include "gpu/summary.h"
#include "gpu/trace_reader.h"
#include "symbols/demangle.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr char kFolder[] = "gpu";
constexpr char kInjectionVariable[] = "CUDA_INJECTION64_PATH";
constexpr char kLibraryInside[] = "/run/edgewise-gpu/libedgewise-cupti.so";
constexpr char kFolderInside[] = "/run/edgewise-gpu/traces";

void SetVariable(const std::string& name, const std::string& value,
                 std::vector<std::string>* environment) {
  const std::string start = name + "=";
  std::erase_if(*environment, [&](const std::string& entry) {
    return entry.starts_with(start);
  });
  environment->push_back(start + value);
}

void Refuse(Run* run, std::string why) {
  run->unavailable.push_back({"GPU summary", std::move(why)});
}

Result<fs::path> MakeTraceFolder(const fs::path& scratch, mode_t mode) {
  fs::path folder = scratch / kFolder;
  if (::mkdir(folder.c_str(), mode) != 0 ||
      ::chmod(folder.c_str(), mode) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "the folder for GPU traces, " + folder.string() +
                     ", cannot be made: " + ErrnoText()};
  }
  return folder;
}

}  // namespace

Result<void> EnableGpuTracing(const fs::path& scratch,
                              std::vector<std::string>* environment) {
  const auto library = FindModule("cupti");
  if (!library) {
    return library.error();
  }
  const auto folder = MakeTraceFolder(scratch, 0700);
  if (!folder) {
    return folder.error();
  }
  SetVariable(kInjectionVariable, library->string(), environment);
  SetVariable(gpu::kTraceFolderVariable, folder->string(), environment);
  return {};
}

Result<void> EnableGpuTracing(const fs::path& scratch,
                              ContainerSpec* container) {
  const auto library = FindModule("cupti");
  if (!library) {
    return library.error();
  }
  const auto folder = MakeTraceFolder(scratch, 0777);
  if (!folder) {
    return folder.error();
  }
  container->mounts.push_back({*library, kLibraryInside, true});
  container->mounts.push_back({*folder, kFolderInside});
  container->env[kInjectionVariable] = kLibraryInside;
  container->env[gpu::kTraceFolderVariable] = kFolderInside;
  return {};
}

void CollectGpuSummary(const fs::path& scratch, Run* run) {
  const std::vector<gpu::Trace> traces = gpu::ReadTraces(scratch / kFolder);
  auto summary = SummariseGpu(traces);
  for (const gpu::Trace& trace : traces) {
    if (!trace.problem.empty()) {
      Refuse(run, trace.problem);
      break;
    }
  }
  if (traces.empty()) {
    Refuse(run,
           "no process of the program started CUDA (or its CUDA is too old to "
           "load a recorder: version 10 is needed)");
  } else if (!summary && traces.front().problem.empty()) {
    Refuse(run,
           "the program started CUDA, but no work was recorded before it "
           "ended; one that is killed loses up to its last second");
  }
  if (!summary) {
    return;
  }
  for (GpuKernelUse& kernel : summary->kernels) {
    kernel.name = symbols::Demangle(kernel.name);
  }
  if (summary->dropped > 0) {
    run->warnings.push_back(FormatCount(summary->dropped, "GPU record") +
                            " were lost by CUPTI: sums are too low");
  }
  if (summary->left_out > 0) {
    run->warnings.push_back(
        "the GPU trace was full: " +
        FormatCount(summary->left_out, "later record") +
        " were left out of the GPU summary; measure a shorter time");
  }
  if (!run->gpu) {
    run->gpu.emplace();
  }
  run->gpu->summary = std::move(*summary);
}

}  // namespace edgewise
