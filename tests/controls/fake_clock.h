// A fake sysfs with the clocks of four cores: two policies of two cores each,
// 600 MHz to 1.5 GHz, as a small board has them.
#ifndef EDGEWISE_TESTS_CONTROLS_FAKE_CLOCK_H_
#define EDGEWISE_TESTS_CONTROLS_FAKE_CLOCK_H_

#include <filesystem>
#include <string>

#include "../probes/fake_tree.h"
#include "base/text.h"

namespace edgewise {

class FakeClock {
 public:
  FakeClock() {
    for (const int policy : {0, 2}) {
      Write(policy, "cpuinfo_min_freq", "600000");
      Write(policy, "cpuinfo_max_freq", "1500000");
      Write(policy, "scaling_available_frequencies", "600000 1000000 1500000 ");
      SetLimits(policy, 600'000, 1'500'000);
      for (const int cpu : {policy, policy + 1}) {
        std::filesystem::path core = tree_ / "devices/system/cpu";
        core /= "cpu" + std::to_string(cpu);
        std::filesystem::create_directories(core);
        std::filesystem::create_directory_symlink(
            "../cpufreq/policy" + std::to_string(policy), core / "cpufreq");
      }
    }
  }

  const FakeTree& tree() const { return tree_; }
  const std::filesystem::path& root() const { return tree_.root(); }
  std::filesystem::path Policy(int policy) const {
    return tree_ /
           ("devices/system/cpu/cpufreq/policy" + std::to_string(policy));
  }
  // One of its files, with a newline as the kernel has it.
  void Write(int policy, const std::string& file,
             const std::string& text) const {
    tree_.Write(Policy(policy) / file, text + "\n");
  }
  void SetLimits(int policy, int64_t min_khz, int64_t max_khz) const {
    Write(policy, "scaling_min_freq", std::to_string(min_khz));
    Write(policy, "scaling_max_freq", std::to_string(max_khz));
  }
  // "MIN-MAX" in kHz.
  std::string Limits(int policy) const {
    const auto read = [&](const char* file) {
      const auto text = TryReadFile(Policy(policy) / file);
      return text ? std::string(Trim(*text)) : std::string("gone");
    };
    return read("scaling_min_freq") + "-" + read("scaling_max_freq");
  }

 private:
  FakeTree tree_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_CONTROLS_FAKE_CLOCK_H_
