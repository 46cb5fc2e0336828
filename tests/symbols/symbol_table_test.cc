#include "symbols/symbol_table.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/file_bytes.h"
#include "base/text.h"
#include "symbols/elf_file.h"

// Three names of one place, in an order the file's names are not looked at in.
asm(R"(
  .text
  .type __GI___tested_plainly, %function
  .type tested_plainly, %function
  .type __tested_plainly, %function
__GI___tested_plainly:
tested_plainly:
__tested_plainly:
  nop
  nop
  .size __GI___tested_plainly, 2
  .size tested_plainly, 2
  .size __tested_plainly, 2
)");

extern "C" void tested_plainly();
extern "C" const char __executable_start;  // NOLINT: the linker's name

namespace edgewise::symbols {
namespace {

TEST(SymbolTableTest, OfSeveralNamesThePlainestIsShown) {
  const auto bytes = ReadFile("/proc/self/exe");
  ASSERT_TRUE(bytes.ok());
  const auto elf = ElfFile::Read(FileBytes(*bytes), "this program");
  ASSERT_TRUE(elf.ok());
  const auto at = reinterpret_cast<uintptr_t>(&tested_plainly) -
                  reinterpret_cast<uintptr_t>(&__executable_start);
  EXPECT_EQ(SymbolTable(*elf, nullptr).NameAt(at), "tested_plainly");
}

}  // namespace
}  // namespace edgewise::symbols
