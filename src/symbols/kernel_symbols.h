// KernelSymbols: the kernel's functions by address, from /proc/kallsyms.
#ifndef EDGEWISE_SYMBOLS_KERNEL_SYMBOLS_H_
#define EDGEWISE_SYMBOLS_KERNEL_SYMBOLS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise::symbols {

class KernelSymbols {
 public:
  struct Name {
    std::string_view function;
    std::string_view module;  // "[kernel]" or "[snd]"
  };

  // Takes the text over, because names point into it.
  explicit KernelSymbols(std::string kallsyms);
  KernelSymbols(const KernelSymbols&) = delete;
  KernelSymbols& operator=(const KernelSymbols&) = delete;

  std::optional<Name> NameAt(uint64_t address) const;
  // The kernel keeps its addresses to itself (kernel.kptr_restrict): all that
  // it told are zero.
  bool hidden() const { return symbols_.empty(); }

 private:
  struct Symbol {
    uint64_t address = 0;
    uint32_t line = 0;  // where its name is in the text
  };

  std::string text_;
  std::vector<Symbol> symbols_;  // of code, by address
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_KERNEL_SYMBOLS_H_
