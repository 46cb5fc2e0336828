#include "symbols/demangle.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace edgewise::symbols {
namespace {

TEST(DemangleTest, CppNamesLoseTheirParametersAndKeepTemplates) {
  EXPECT_EQ(Demangle("_ZN2cv3Mat6createEiiPKi"), "cv::Mat::create");
  EXPECT_EQ(Demangle("_ZNSt6vectorIiSaIiEE9push_backERKi"),
            "std::vector<int, std::allocator<int> >::push_back");
  EXPECT_EQ(Demangle("_ZN5shape4areaIdEET_S1_"), "shape::area<double>");
}

TEST(DemangleTest, RustNamesLoseTheirHash) {
  EXPECT_EQ(Demangle("_ZN4core3fmt5write17h0123456789abcdefE"),
            "core::fmt::write");
  EXPECT_EQ(Demangle("_RNvCs1234_7mycrate3foo"), "mycrate::foo");
}

TEST(DemangleTest, WhatCompilersAndLinkersAppendGoes) {
  EXPECT_EQ(Demangle("parse.cold"), "parse");
  EXPECT_EQ(Demangle("parse.constprop.0.isra.3"), "parse");
  EXPECT_EQ(Demangle("parse.part.0.cold"), "parse");
  EXPECT_EQ(Demangle("_ZN2cv3Mat6createEiiPKi.cold"), "cv::Mat::create");
  EXPECT_EQ(Demangle("memcpy@@GLIBC_2.14"), "memcpy");
}

TEST(DemangleTest, OtherNamesStay) {
  EXPECT_EQ(Demangle("main"), "main");
  EXPECT_EQ(Demangle("runtime.mallocgc"), "runtime.mallocgc");
  EXPECT_EQ(Demangle("_Zebra"), "_Zebra");
  EXPECT_EQ(Demangle("a.0"), "a.0");
  EXPECT_EQ(Demangle(".cold"), ".cold");
  EXPECT_EQ(Demangle(""), "");
}

TEST(DemangleTest, AbsurdlyLongNamesAreCut) {
  EXPECT_EQ(Demangle(std::string(1'000'000, 'x')).size(), 4096U);
}

// Each argument names the one before it twice: 2^15 names if printed.
TEST(DemangleTest, NamesThatGrowWithoutEndAreCut) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1fI1aIiiE";
  for (size_t level = 0; level < 16; ++level) {
    const std::string last = {'S', kDigits[2 * level + 1], '_'};
    name += "1bI" + last + last + "E";
  }
  EXPECT_EQ(Demangle(name + "Evv").size(), 4096U);
}

}  // namespace
}  // namespace edgewise::symbols
