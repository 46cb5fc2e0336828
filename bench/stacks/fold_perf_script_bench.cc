// Speed of folding `perf script` text. The peer, and the limit of anything
// that reads lines, is finding the line ends of the same text with memchr.
//
//   fold_perf_script_bench [FILE]   FILE: a text of perf script instead of the
//                                   made one
//
// Speeds are per second of CPU time.
// Prints one line per figure: name, value, unit, bar, pass|fail|-.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"
#include "stacks/collapsed.h"
#include "stacks/encode.h"
#include "stacks/perf_script.h"

namespace edgewise::stacks {
namespace {

constexpr size_t kTextBytes = size_t{128} << 20;
constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr int kRounds = 5;
constexpr double kBarMegabytes = 300;

// Stacks as a C++ program has them: a call tree of some thousand functions,
// 12 to 45 deep, addresses that differ within functions.
std::string MadeText() {
  std::mt19937_64 random(1);  // NOLINT: the same text every time
  const auto below = [&](uint64_t limit) { return random() % limit; };
  std::string text;
  text.reserve(kTextBytes + 8192);
  char line[256];
  for (int64_t sample = 0; text.size() < kTextBytes; ++sample) {
    std::snprintf(line, sizeof line,
                  "camera %5d/%-5d [%03d] %6lld.%06d:   10101010 cpu-clock:u: "
                  "\n",
                  4711, 4711 + static_cast<int>(below(4)),
                  static_cast<int>(below(4)),
                  static_cast<long long>(1000 + sample / 99),
                  static_cast<int>(below(1000000)));
    text += line;
    const uint64_t depth = 12 + below(34);
    // The way down is chosen at few places, as in a real program.
    uint64_t way = below(64);
    std::vector<std::string> frames;
    for (uint64_t level = 0; level < depth; ++level) {
      if (level % 8 == 7) {
        way = way * 4 + below(4);
      }
      const uint64_t function = (way * 40 + level) % 4000;
      const uint64_t offset = 16 * below(6);
      std::snprintf(line, sizeof line,
                    "\t    %12llx vision::Stage%llu::process(cv::Mat const&, "
                    "int)+0x%llx (/usr/lib/libvision%llu.so.4.6)\n",
                    0x7f0000000000ULL + function * 4096 + offset,
                    static_cast<unsigned long long>(function),
                    static_cast<unsigned long long>(offset),
                    static_cast<unsigned long long>(function % 7));
      frames.emplace_back(line);
    }
    for (size_t i = frames.size(); i-- > 0;) {
      text += frames[i];
    }
    text += '\n';
  }
  return text;
}

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

// CPU time: one thread computes, and others may want the core as well.
double SecondsOf(const std::function<void()>& work) {
  const double start = CpuSeconds();
  work();
  return CpuSeconds() - start;
}

int64_t CountLines(const std::string& text) {
  int64_t lines = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    const void* found = std::memchr(at, '\n', static_cast<size_t>(end - at));
    at = found == nullptr ? end : static_cast<const char*>(found) + 1;
    ++lines;
  }
  return lines;
}

StackProfile Fold(const std::string& text) {
  PerfScriptReader reader({});
  for (size_t at = 0; at < text.size(); at += kPieceBytes) {
    reader.Feed(std::string_view(text).substr(at, kPieceBytes));
  }
  auto profile = reader.Finish();
  return profile ? std::move(*profile) : StackProfile();
}

int Main(int argc, char** argv) {
  std::string text;
  if (argc > 1) {
    auto read = ReadFile(argv[1]);
    if (!read) {
      std::fprintf(stderr, "%s\n", read.error().message.c_str());
      return 2;
    }
    text = std::move(*read);
  } else {
    text = MadeText();
  }
  double fold_s = 1e300;
  double lines_s = 1e300;
  int64_t lines = 0;
  StackProfile profile;
  // Interleaved, so that a slow spell of the machine meets both.
  for (int round = 0; round < kRounds; ++round) {
    lines_s = std::min(lines_s, SecondsOf([&] { lines = CountLines(text); }));
    fold_s = std::min(fold_s, SecondsOf([&] { profile = Fold(text); }));
  }
  if (profile.counts.empty() || lines == 0) {
    std::fputs("the text has no samples\n", stderr);
    return 1;
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  const std::string encoded = Encode(profile);
  std::printf("stacks: folding perf script\t%.0f\tMB/s\t>= %.0f\t%s\n",
              megabytes / fold_s, kBarMegabytes,
              megabytes / fold_s >= kBarMegabytes ? "pass" : "fail");
  std::printf("stacks: folding against finding line ends\t%.1f\tx\t-\t-\n",
              fold_s / lines_s);
  std::printf("stacks: stored bytes a stack\t%.1f\tbytes\t-\t-\n",
              static_cast<double>(encoded.size()) /
                  static_cast<double>(profile.counts.size()));
  return 0;
}

}  // namespace
}  // namespace edgewise::stacks

int main(int argc, char** argv) { return edgewise::stacks::Main(argc, argv); }
