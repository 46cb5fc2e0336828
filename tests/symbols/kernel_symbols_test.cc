#include "symbols/kernel_symbols.h"

#include <gtest/gtest.h>

namespace edgewise::symbols {
namespace {

TEST(KernelSymbolsTest, NamesFunctionsAndTheirModules) {
  const KernelSymbols symbols(
      "ffffffff81000000 T _stext\n"
      "ffffffff81000400 t do_work\n"
      "ffffffff81000500 D data_is_no_code\n"
      "ffffffffc0001000 t play\t[snd]\n");
  EXPECT_FALSE(symbols.hidden());
  EXPECT_EQ(symbols.NameAt(0xffffffff81000401)->function, "do_work");
  EXPECT_EQ(symbols.NameAt(0xffffffff81000501)->function, "do_work");
  EXPECT_EQ(symbols.NameAt(0xffffffff81000400)->module, "[kernel]");
  EXPECT_EQ(symbols.NameAt(0xffffffffc0001008)->function, "play");
  EXPECT_EQ(symbols.NameAt(0xffffffffc0001008)->module, "[snd]");
  EXPECT_EQ(symbols.NameAt(0x1000), std::nullopt);
}

TEST(KernelSymbolsTest, HiddenAddressesNameNothing) {
  const KernelSymbols symbols(
      "0000000000000000 T _stext\n0000000000000000 t do_work\n");
  EXPECT_TRUE(symbols.hidden());
  EXPECT_EQ(symbols.NameAt(0xffffffff81000401), std::nullopt);
}

TEST(KernelSymbolsTest, OtherTextNamesNothing) {
  EXPECT_TRUE(KernelSymbols("").hidden());
  EXPECT_TRUE(
      KernelSymbols("ffffffff81000000\nffffffff81000000 T\n\n x").hidden());
}

}  // namespace
}  // namespace edgewise::symbols
