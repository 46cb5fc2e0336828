// How fast raw samples are unwound and named.
//
// The samples are real: while the program sorts, searches and matches, a timer
// of its CPU time interrupts it, and the handler keeps the registers and 8 KiB
// of the stack, as the sampler does. They are then written many times over to
// one spool of 100,000 samples.
//
//   bench_symbols            prints name, value, unit, bar, pass|fail|-
//   bench_symbols SPOOL      folds that spool instead, for comparisons
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "stacks/spool.h"
#include "symbols/fold_in_child.h"

namespace edgewise {
namespace {

constexpr size_t kStackBytes = 8192;
constexpr size_t kCaptured = 2000;
constexpr int64_t kSamples = 100'000;

struct Captured {
  ucontext_t context;
  std::array<char, kStackBytes> stack;
  size_t stack_bytes;
};
std::vector<Captured>* captured = nullptr;
volatile sig_atomic_t captured_count = 0;
uint64_t stack_top = 0;

uint64_t StackPointer(const ucontext_t& context) {
#if defined(__aarch64__)
  return context.uc_mcontext.sp;
#else
  return static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
#endif
}

void Capture(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const auto index = static_cast<size_t>(captured_count);
  if (index >= kCaptured) {
    return;
  }
  Captured& here = (*captured)[index];
  here.context = *static_cast<ucontext_t*>(context);
  const uint64_t start = StackPointer(here.context);
  here.stack_bytes = std::min<size_t>(kStackBytes, stack_top - start);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is an address.
  std::copy_n(reinterpret_cast<const char*>(start), here.stack_bytes,
              here.stack.data());
  captured_count = captured_count + 1;
}

// Something of everything, until enough samples are taken.
size_t Work() {
  static std::mt19937 random(1);  // large: not on the stack
  const std::regex pattern("(a|b)*c([0-9]+(x|y)?)*z");
  size_t sum = 0;
  while (static_cast<size_t>(captured_count) < kCaptured) {
    std::map<std::string, int> words;
    std::string text;
    for (int i = 0; i < 300; ++i) {
      const std::string word = std::to_string(random() % 1000);
      ++words[word];
      text += "ab" + word;
    }
    sum += words.size();
    sum += std::regex_search(text + "c12x3yz", pattern) ? 1 : 0;
    std::vector<int> numbers(3000);
    std::generate(numbers.begin(), numbers.end(), random);
    std::sort(numbers.begin(), numbers.end());
    std::qsort(numbers.data(), numbers.size(), sizeof(int),
               [](const void* a, const void* b) {
                 return *static_cast<const int*>(b) % 100 -
                        *static_cast<const int*>(a) % 100;
               });
    sum += static_cast<size_t>(numbers[0]);
  }
  return sum;
}

std::vector<uint64_t> SampledRegisters(const ucontext_t& context) {
#if defined(__aarch64__)
  const auto& machine = context.uc_mcontext;
  std::vector<uint64_t> registers(machine.regs, machine.regs + 31);
  registers.push_back(machine.sp);
  registers.push_back(machine.pc);
#else
  std::vector<uint64_t> registers;
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

void AddMaps(stacks::SpoolWriter& writer) {
  std::map<std::string, uint32_t> ids;
  const std::string text = TryReadFile("/proc/self/maps").value_or("");
  for (const std::string_view line : Split(text, '\n')) {
    const std::vector<std::string_view> fields = SplitFields(line);
    if (fields.size() < 6 || fields[1].find('x') == std::string_view::npos) {
      continue;
    }
    const std::string path(fields[5]);
    const auto [id, is_new] =
        ids.try_emplace(path, static_cast<uint32_t>(ids.size() + 1));
    if (is_new) {
      writer.Add(stacks::SpooledFile{
          id->second, 0, ParseUint(fields[4]).value_or(0), path, ""});
    }
    const std::string range(fields[0]);
    char* dash = nullptr;
    const uint64_t start = std::strtoull(range.c_str(), &dash, 16);
    writer.Add(stacks::SpooledMap{
        getpid(), start, std::strtoull(dash + 1, nullptr, 16) - start,
        std::strtoull(std::string(fields[2]).c_str(), nullptr, 16),
        id->second});
  }
}

// False if this machine gives no samples.
bool WriteSpool(const std::filesystem::path& path) {
  std::vector<Captured> buffer(kCaptured);
  captured = &buffer;
  const std::string maps = TryReadFile("/proc/self/maps").value_or("");
  for (const std::string_view line : Split(maps, '\n')) {
    if (line.ends_with("[stack]")) {
      const std::string range(line.substr(line.find('-') + 1));
      stack_top = std::strtoull(range.c_str(), nullptr, 16);
    }
  }
  struct sigaction action {};
  action.sa_sigaction = Capture;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  const itimerval every_ms{{0, 1000}, {0, 1000}};
  if (sigaction(SIGPROF, &action, nullptr) != 0 ||
      setitimer(ITIMER_PROF, &every_ms, nullptr) != 0 || Work() == 0) {
    return false;
  }
  const itimerval never{};
  setitimer(ITIMER_PROF, &never, nullptr);
  auto writer = stacks::SpoolWriter::Create(path, uint64_t{4} << 30);
  if (!writer) {
    return false;
  }
  AddMaps(*writer);
  for (int64_t i = 0; i < kSamples; ++i) {
    const Captured& one = buffer[static_cast<size_t>(i) % kCaptured];
    stacks::SpooledSample sample;
    sample.pid = getpid();
    sample.tid = getpid();
    sample.registers = SampledRegisters(one.context);
    sample.stack = std::string_view(one.stack.data(), one.stack_bytes);
    writer->Add(sample);
  }
  return writer->Flush().ok();
}

int Fold(const std::filesystem::path& path) {
  auto reader = stacks::SpoolReader::Open(path);
  if (!reader) {
    std::fprintf(stderr, "%s\n", reader.error().message.c_str());
    return 1;
  }
  const auto start = std::chrono::steady_clock::now();
  const auto profile =
      symbols::FoldSpoolInChild(*reader, {}, std::chrono::minutes(5));
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!profile || profile->collection.samples == 0) {
    std::fprintf(stderr, "bench_symbols: no samples\n");
    return 1;
  }
  const auto samples = static_cast<double>(profile->collection.samples);
  const double reached =
      100 * static_cast<double>(profile->collection.reached_root) / samples;
  std::printf("symbols: FoldSpool\t%.3g\tsamples/s\t-\t-\n", samples / seconds);
  std::printf("symbols: stacks that reach their root\t%.2f\t%%\t>= 95\t%s\n",
              reached, reached >= 95 ? "pass" : "fail");
  std::printf("symbols: different frames\t%zu\tframes\t-\t-\n",
              profile->frames.size());
  return reached >= 95 ? 0 : 1;
}

int Main(int argc, char** argv) {
  if (argc > 1) {
    return Fold(argv[1]);
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("edgewise_bench_symbols_" + std::to_string(getpid()));
  const int status = WriteSpool(path) ? Fold(path) : 1;
  std::filesystem::remove(path);
  return status;
}

}  // namespace
}  // namespace edgewise

int main(int argc, char** argv) { return edgewise::Main(argc, argv); }
