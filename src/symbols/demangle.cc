#include "symbols/demangle.h"

// libiberty's header declares basename() anew unless told that it is there.
#define HAVE_DECL_BASENAME 1
#include <libiberty/demangle.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <csetjmp>
#include <cstring>

namespace edgewise::symbols {
namespace {

constexpr size_t kMaxSymbolBytes = 4096;
constexpr size_t kMaxNameBytes = 4096;

// What a demangler writes, up to a limit. A few hundred bytes of mangled name
// can stand for gigabytes (each substitution may double what came before), so
// that past the limit the demangler is left by longjmp: it holds no memory of
// its own while it prints to a callback.
struct Output {
  std::jmp_buf enough;
  size_t size;
  std::array<char, kMaxNameBytes> text;
};

void Append(const char* text, size_t size, void* opaque) {
  if (size == 0) {
    return;
  }
  auto* output = static_cast<Output*>(opaque);
  const size_t room = output->text.size() - output->size;
  std::memcpy(output->text.data() + output->size, text, std::min(size, room));
  output->size += std::min(size, room);
  if (size > room) {
    std::longjmp(output->enough, 1);
  }
}

// False if `symbol` is no mangled name. `symbol` must outlive the jump, and
// nothing in here has a destructor.
bool Run(const char* symbol, Output* output) {
  output->size = 0;
  if (setjmp(output->enough) != 0) {
    return true;
  }
  // Rust's older mangling looks like C++ and must be tried first.
  if (rust_demangle_callback(symbol, DMGL_NO_OPTS, Append, output) != 0) {
    return true;
  }
  output->size = 0;
  return cplus_demangle_v3_callback(symbol, DMGL_ANSI, Append, output) != 0;
}

bool IsDigits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  });
}

// Without ".cold", ".part.0", ".isra.1" and the like at the end.
std::string_view WithoutClone(std::string_view name) {
  for (;;) {
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) {
      return name;
    }
    const std::string_view last = name.substr(dot + 1);
    if (last == "cold") {
      name.remove_suffix(name.size() - dot);
      continue;
    }
    const std::string_view before = name.substr(0, dot);
    const size_t start = before.rfind('.');
    const std::string_view kind =
        start == std::string_view::npos || start == 0 || !IsDigits(last)
            ? std::string_view()
            : before.substr(start + 1);
    constexpr std::array<std::string_view, 6> kKinds = {
        "part", "isra", "constprop", "lto_priv", "llvm", "cold"};
    if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end()) {
      return name;
    }
    name = name.substr(0, start);
  }
}

}  // namespace

std::string Demangle(std::string_view symbol) {
  if (const size_t version = symbol.find('@');
      version != std::string_view::npos && version > 0) {
    symbol = symbol.substr(0, version);
  }
  if (symbol.size() > kMaxSymbolBytes) {
    return std::string(symbol.substr(0, kMaxNameBytes));
  }
  if (symbol.starts_with("_Z") || symbol.starts_with("_R")) {
    const std::string mangled(symbol);
    Output output;
    if (Run(mangled.c_str(), &output) && output.size > 0) {
      return std::string(output.text.data(), output.size);
    }
  }
  return std::string(WithoutClone(symbol));
}

}  // namespace edgewise::symbols
