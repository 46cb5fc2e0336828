#include "own_sample.h"

#include <pthread.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"

namespace edgewise::symbols {
namespace {

std::vector<uint64_t> SampledRegisters(const ucontext_t& context) {
  std::vector<uint64_t> registers;
#if defined(__aarch64__)
  for (const auto value : context.uc_mcontext.regs) {
    registers.push_back(value);
  }
  registers.push_back(context.uc_mcontext.sp);
  registers.push_back(context.uc_mcontext.pc);
#else
  for (const int number :
       {REG_RAX, REG_RBX, REG_RCX, REG_RDX,    REG_RSI,    REG_RDI, REG_RBP,
        REG_RSP, REG_RIP, REG_EFL, REG_CSGSFS, REG_CSGSFS, REG_R8,  REG_R9,
        REG_R10, REG_R11, REG_R12, REG_R13,    REG_R14,    REG_R15}) {
    registers.push_back(
        static_cast<uint64_t>(context.uc_mcontext.gregs[number]));
  }
#endif
  return registers;
}

uint64_t StackPointer(const ucontext_t& context) {
#if defined(__aarch64__)
  return context.uc_mcontext.sp;
#else
  return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
#endif
}

uint64_t StackTop() {
  pthread_attr_t attributes;
  void* start = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0 ||
      pthread_attr_getstack(&attributes, &start, &size) != 0) {
    std::abort();
  }
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uint64_t>(start) + size;
}

// Byte by byte, because sanitizers watch the stack and memcpy().
__attribute__((no_sanitize("address", "thread"), noinline)) void CopyStack(
    uint64_t from, size_t size, char* to) {
  const auto* bytes = reinterpret_cast<const volatile char*>(from);
  for (size_t i = 0; i < size; ++i) {
    to[i] = bytes[i];
  }
}

}  // namespace

__attribute__((noinline)) OwnSample TakeOwnSample(size_t max_stack_bytes) {
  OwnSample own;
  ucontext_t context;
  if (getcontext(&context) != 0) {
    std::abort();
  }
  const uint64_t start = StackPointer(context);
  own.stack.resize(std::min<size_t>(max_stack_bytes, StackTop() - start));
  CopyStack(start, own.stack.size(), own.stack.data());
  own.sample.pid = getpid();
  own.sample.tid = gettid();
  own.sample.registers = SampledRegisters(context);
  return own;
}

OwnMaps ReadOwnMaps() {
  OwnMaps own;
  std::map<std::string, uint32_t> ids;
  const std::string text = TryReadFile("/proc/self/maps").value_or("");
  for (const std::string_view line : Split(text, '\n')) {
    const std::vector<std::string_view> fields = SplitFields(line);
    if (fields.size() < 5 || fields[1].size() < 3 || fields[1][2] != 'x') {
      continue;
    }
    const std::string path(fields.size() > 5 ? fields[5] : "//anon");
    const auto [id, is_new] =
        ids.try_emplace(path, static_cast<uint32_t>(ids.size() + 1));
    if (is_new) {
      own.files.push_back({id->second, 0, *ParseUint(fields[4]), path, ""});
    }
    const std::string range(fields[0]);
    char* dash = nullptr;
    stacks::SpooledMap map;
    map.pid = getpid();
    map.start = std::strtoull(range.c_str(), &dash, 16);
    map.length = std::strtoull(dash + 1, nullptr, 16) - map.start;
    map.file_offset =
        std::strtoull(std::string(fields[2]).c_str(), nullptr, 16);
    map.file = id->second;
    own.maps.push_back(map);
  }
  return own;
}

SpoolUnderTest::SpoolUnderTest() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "edgewise_spool_XXXXXX");
  const int fd = mkstemp(pattern.data());
  if (fd < 0) {
    std::abort();
  }
  close(fd);
  path_ = pattern;
  auto writer = stacks::SpoolWriter::Create(path_, uint64_t{1} << 30);
  if (!writer) {
    std::abort();
  }
  writer_ = std::move(*writer);
}

SpoolUnderTest::~SpoolUnderTest() { std::filesystem::remove(path_); }

void SpoolUnderTest::Add(const OwnMaps& maps) {
  for (const auto& file : maps.files) {
    writer_->Add(file);
  }
  for (const auto& map : maps.maps) {
    writer_->Add(map);
  }
}

void SpoolUnderTest::Add(const OwnSample& own) {
  stacks::SpooledSample sample = own.sample;
  sample.stack = own.stack;
  writer_->Add(sample);
}

stacks::StackProfile SpoolUnderTest::Fold(const FoldOptions& options) {
  if (!writer_->Flush()) {
    std::abort();
  }
  auto reader = stacks::SpoolReader::Open(path_);
  if (!reader) {
    std::abort();
  }
  auto profile = FoldSpool(*reader, options);
  if (!profile || !profile->Valid()) {
    std::abort();
  }
  return std::move(*profile);
}

std::vector<stacks::Frame> StackOf(const stacks::StackProfile& profile,
                                   size_t count) {
  std::vector<stacks::Frame> frames;
  for (int32_t node = profile.counts.at(count).node; node >= 0;
       node = profile.nodes[static_cast<size_t>(node)].parent) {
    frames.push_back(profile.frames[static_cast<size_t>(
        profile.nodes[static_cast<size_t>(node)].frame)]);
  }
  std::reverse(frames.begin(), frames.end());
  return frames;
}

std::vector<std::string> FunctionsOf(const stacks::StackProfile& profile,
                                     size_t count) {
  std::vector<std::string> functions;
  for (const stacks::Frame& frame : StackOf(profile, count)) {
    functions.push_back(frame.function);
  }
  return functions;
}

}  // namespace edgewise::symbols
