// Real samples without a sampler: the test program takes them of itself.
#ifndef EDGEWISE_TESTS_SYMBOLS_OWN_SAMPLE_H_
#define EDGEWISE_TESTS_SYMBOLS_OWN_SAMPLE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "stacks/profile.h"
#include "stacks/spool.h"
#include "symbols/fold_spool.h"

namespace edgewise::symbols {

struct OwnSample {
  stacks::SpooledSample sample;  // without its stack
  std::string stack;
};

// The calling thread as a sampler would have seen it inside this function,
// with up to `max_stack_bytes` of its stack.
OwnSample TakeOwnSample(size_t max_stack_bytes = 64 * 1024);

// What this process has mapped to be executed. File ids start at 1.
struct OwnMaps {
  std::vector<stacks::SpooledFile> files;
  std::vector<stacks::SpooledMap> maps;
};
OwnMaps ReadOwnMaps();

// Writes records to a spool and folds it.
class SpoolUnderTest {
 public:
  SpoolUnderTest();
  ~SpoolUnderTest();
  SpoolUnderTest(const SpoolUnderTest&) = delete;
  SpoolUnderTest& operator=(const SpoolUnderTest&) = delete;

  stacks::SpoolWriter& writer() { return *writer_; }
  void Add(const OwnMaps& maps);
  void Add(const OwnSample& sample);
  stacks::StackProfile Fold(const FoldOptions& options = {});
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<stacks::SpoolWriter> writer_;
};

// The frames of one count, outermost first.
std::vector<stacks::Frame> StackOf(const stacks::StackProfile& profile,
                                   size_t count = 0);
// Only their functions.
std::vector<std::string> FunctionsOf(const stacks::StackProfile& profile,
                                     size_t count = 0);

}  // namespace edgewise::symbols

#endif  // EDGEWISE_TESTS_SYMBOLS_OWN_SAMPLE_H_
