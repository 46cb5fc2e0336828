// What programs write: perf maps, names of functions, the kernel's symbols.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "symbols/demangle.h"
#include "symbols/kernel_symbols.h"
#include "symbols/perf_map.h"

namespace {

void Check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto map = edgewise::symbols::PerfMap::Parse(text);
  const auto name = map.NameAt(0x7f0000001010);
  Check(!name || !name->empty());
  Check(edgewise::symbols::Demangle(text).size() <= 4096);
  const edgewise::symbols::KernelSymbols kernel{std::string(text)};
  Check(!kernel.hidden() || !kernel.NameAt(UINT64_MAX));
  (void)kernel.NameAt(0xffffffff81000010);
  return 0;
}
