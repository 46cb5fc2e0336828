#include "symbols/frame_namer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "base/text.h"
#include "symbols/demangle.h"

namespace edgewise::symbols {
namespace {

using stacks::Frame;
using stacks::FrameKind;

std::string Hex(uint64_t value) {
  std::array<char, 24> text{};
  const int size = std::snprintf(text.data(), text.size(), "0x%llx",
                                 static_cast<unsigned long long>(value));
  return std::string(text.data(), static_cast<size_t>(size));
}

template <size_t kCount>
bool StartsWithOneOf(std::string_view text,
                     const std::array<std::string_view, kCount>& prefixes) {
  return std::any_of(
      prefixes.begin(), prefixes.end(),
      [&](std::string_view prefix) { return text.starts_with(prefix); });
}

// Calling and looking up, which Python programs do not name.
bool IsCallMachinery(std::string_view function) {
  constexpr std::array<std::string_view, 24> kPrefixes = {"_PyEval",
                                                          "PyEval_",
                                                          "_PyFunction_",
                                                          "PyObject_Call",
                                                          "PyObject_Vector",
                                                          "_PyObject_Call",
                                                          "_PyObject_Make",
                                                          "_PyObject_Vector",
                                                          "PyVectorcall_",
                                                          "_PyVectorcall",
                                                          "cfunction_",
                                                          "method_vectorcall",
                                                          "vectorcall_",
                                                          "slot_",
                                                          "object_vacall",
                                                          "type_call",
                                                          "_Py_CheckFunction",
                                                          "partial_vectorcall",
                                                          "gen_send_ex",
                                                          "gen_iternext",
                                                          "PyRun_",
                                                          "Py_Run",
                                                          "pymain_",
                                                          "Py_BytesMain"};
  return StartsWithOneOf(function, kPrefixes) || function == "main" ||
         function == "_start";
}

bool IsCLibrary(std::string_view base_name) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"libc.so", "libc-2",
                                                         "libpthread", "ld-"};
  return StartsWithOneOf(base_name, kPrefixes);
}

FrameNamer::Role RoleOf(const CodeFile& file, std::string_view function,
                        bool named) {
  using Role = FrameNamer::Role;
  if (function == "_PyEval_EvalFrameDefault") {
    return Role::kEvaluator;
  }
  if (file.is_python()) {
    return named && !IsCallMachinery(function) ? Role::kBuiltin
                                               : Role::kInterpreter;
  }
  return IsCLibrary(file.base_name()) ? Role::kStartUp : Role::kOther;
}

}  // namespace

const FrameNamer::Frames& FrameNamer::User(int32_t pid, const Process& process,
                                           const CodeAddress& address) {
  if (address.place == nullptr) {
    return JitFrames(pid, process, address);
  }
  if (address.place->frames < 0) {
    native_.push_back(NativeFrames(address));
    address.place->frames = static_cast<int32_t>(native_.size() - 1);
  }
  return native_[static_cast<size_t>(address.place->frames)];
}

FrameNamer::Frames FrameNamer::NativeFrames(const CodeAddress& address) {
  CodeFile& file = *address.file;
  if (!file.problem().empty()) {
    notes_.Add("No function names from " + file.path() + ": " + file.problem() +
               "; offsets in it are shown.");
  }
  Frames named;
  std::vector<SourceFrame> sources = file.FramesAt(address.va);
  const bool has_name = !sources.empty();
  if (!has_name) {
    // All of a function's addresses under one name.
    sources.push_back(
        {file.base_name() + "+" + Hex(file.FunctionStart(address.va)), "", 0,
         0});
  }
  named.role = RoleOf(file, sources.front().function, has_name);
  for (const SourceFrame& source : sources) {
    Frame frame;
    frame.function = source.function;
    frame.module = file.path();
    frame.file = source.file;
    frame.line = source.line;
    frame.first_line = source.first_line;
    frame.inlined = &source != &sources.front();
    frame.named = has_name;
    named.ids.push_back(builder_.AddFrame(frame));
  }
  return named;
}

const FrameNamer::Frames& FrameNamer::JitFrames(int32_t pid,
                                                const Process& process,
                                                const CodeAddress& address) {
  const auto [place, is_new] =
      jit_.try_emplace({process.generation, address.address});
  if (is_new) {
    place->second = JitFrame(pid, process, address);
  }
  return place->second;
}

FrameNamer::Frames FrameNamer::JitFrame(int32_t pid, const Process& process,
                                        const CodeAddress& address) {
  const auto [map, is_new] = perf_maps_.try_emplace(process.generation);
  if (is_new && process.perf_map) {
    map->second =
        PerfMap::Parse(files_.ReadText(*process.perf_map).value_or(""));
  }
  Frame frame;
  frame.kind = FrameKind::kJit;
  if (const auto name = map->second.NameAt(address.address)) {
    frame.function = Demangle(*name);
  } else {
    frame.function = Hex(address.address);
    frame.named = false;
    if (address.file != nullptr && !process.perf_map) {
      const auto command = process.thread_names.find(pid);
      notes_.Add("Code compiled at run time in " +
                 (command == process.thread_names.end()
                      ? std::string("a process")
                      : command->second) +
                 " (pid " + std::to_string(pid) + ") has no /tmp/perf-" +
                 std::to_string(pid) + ".map: its addresses are shown.");
    }
  }
  return {{builder_.AddFrame(frame)}, Role::kOther};
}

const FrameNamer::Frames& FrameNamer::Kernel(uint64_t address) {
  const auto [place, is_new] = kernel_.try_emplace(address);
  if (!is_new) {
    return place->second;
  }
  if (!kernel_symbols_) {
    const std::filesystem::path path = proc_root_ / "kallsyms";
    kernel_symbols_ =
        std::make_unique<KernelSymbols>(TryReadFile(path).value_or(""));
    if (kernel_symbols_->hidden()) {
      notes_.Add("The kernel's functions have no names because " +
                 path.string() +
                 " shows no addresses: sysctl kernel.kptr_restrict=0 (1 as "
                 "root) allows it.");
    }
  }
  Frame frame;
  frame.kind = FrameKind::kKernel;
  frame.module = "[kernel]";
  if (const auto name = kernel_symbols_->NameAt(address)) {
    frame.function = Demangle(name->function);
    frame.module = name->module;
  } else {
    frame.function = "[kernel]";
    frame.named = false;
  }
  place->second.ids.push_back(builder_.AddFrame(frame));
  return place->second;
}

int32_t FrameNamer::Mark(const std::string& text) {
  Frame frame;
  frame.function = text;
  frame.kind = FrameKind::kMark;
  return builder_.AddFrame(frame);
}

}  // namespace edgewise::symbols
