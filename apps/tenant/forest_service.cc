// A random forest (Breiman 2001) that votes on samples of 784 features.
#include <algorithm>
#include <array>

#include "tenant/seeded.h"
#include "tenant/service.h"

namespace edgewise::apps {
namespace {

constexpr size_t kTrees = 500;
constexpr size_t kDepth = 10;
constexpr size_t kBranches = (size_t{1} << kDepth) - 1;
constexpr size_t kLeaves = size_t{1} << kDepth;
constexpr size_t kFeatures = 784;
constexpr size_t kClasses = 10;
constexpr size_t kSamples = 96;  // in one request

struct Branch {
  uint32_t feature;
  float threshold;
};

class Forest : public Service {
 public:
  Forest() {
    stats::Random random(12);
    branches_.resize(kTrees * kBranches);
    for (Branch& branch : branches_) {
      branch.feature = random.Below(kFeatures);
      branch.threshold = static_cast<float>(random.Uniform());
    }
    votes_.resize(kTrees * kLeaves);
    for (uint8_t& vote : votes_) {
      vote = static_cast<uint8_t>(random.Below(kClasses));
    }
    samples_.resize(2 * kSamples * kFeatures);
    for (float& value : samples_) {
      value = static_cast<float>(random.Uniform());
    }
  }

  Result<void> Answer(uint64_t number, Checksum& checksum) override {
    // Overlapping parts of the samples, a different one for each request.
    const float* samples = &samples_[number % kSamples * kFeatures];
    std::array<std::array<uint16_t, kClasses>, kSamples> counts{};
    for (size_t tree = 0; tree < kTrees; ++tree) {
      const Branch* branches = &branches_[tree * kBranches];
      const uint8_t* votes = &votes_[tree * kLeaves];
      for (size_t sample = 0; sample < kSamples; ++sample) {
        const float* features = samples + sample * kFeatures;
        size_t at = 0;
        for (size_t depth = 0; depth < kDepth; ++depth) {
          const Branch& branch = branches[at];
          at = 2 * at + 1 +
               (features[branch.feature] > branch.threshold ? 1 : 0);
        }
        ++counts[sample][votes[at - kBranches]];
      }
    }
    checksum.AddBytes(counts.data(), sizeof(counts));
    return {};
  }

 private:
  std::vector<Branch> branches_;  // of each tree as a heap
  std::vector<uint8_t> votes_;
  std::vector<float> samples_;
};

}  // namespace

Result<std::unique_ptr<Service>> MakeForest() {
  return std::unique_ptr<Service>(std::make_unique<Forest>());
}

}  // namespace edgewise::apps
