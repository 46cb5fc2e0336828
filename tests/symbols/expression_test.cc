#include "symbols/expression.h"

#include <dwarf.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace edgewise::symbols {
namespace {

std::string Code(std::initializer_list<int> bytes) {
  std::string code;
  for (const int byte : bytes) {
    code += static_cast<char>(byte);
  }
  return code;
}

class ExpressionTest : public ::testing::Test {
 protected:
  ExpressionTest() { registers_.Set(7, 0x1000); }

  std::optional<uint64_t> Value(std::initializer_list<int> bytes,
                                std::optional<uint64_t> first = {}) {
    const std::string code = Code(bytes);
    StackCopy memory(0x1000, stack_);
    return Evaluate(code, registers_, memory, first);
  }

  Registers registers_;
  std::string stack_ = Code({1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
};

// sp + 8 + ((pc & 15) >= 11 ? 8 : 0), as linkers write it for stubs.
TEST_F(ExpressionTest, FindsTheFrameOfALinkersStub) {
  const auto stub = [&](uint64_t pc) {
    registers_.Set(16, pc);
    return Value({DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and,
                  DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus});
  };
  EXPECT_EQ(stub(0x4006), 0x1008U);
  EXPECT_EQ(stub(0x400b), 0x1010U);
}

TEST_F(ExpressionTest, ReadsTheCopiedStackOnly) {
  EXPECT_EQ(Value({DW_OP_breg7, 8, DW_OP_deref}), 2U);
  EXPECT_EQ(Value({DW_OP_breg7, 9, DW_OP_deref}), std::nullopt);
  EXPECT_EQ(Value({DW_OP_breg7, 0x78, DW_OP_deref}), std::nullopt);
}

TEST_F(ExpressionTest, StartsWithTheFrameAddressWhereThereIsOne) {
  EXPECT_EQ(Value({DW_OP_plus_uconst, 16}, 0x2000), 0x2010U);
  EXPECT_EQ(Value({DW_OP_plus_uconst, 16}), std::nullopt);
}

TEST_F(ExpressionTest, ComputesWithSignsAndJumps) {
  EXPECT_EQ(Value({DW_OP_const1s, 0xff, DW_OP_lit0, DW_OP_lt}), 1U);
  EXPECT_EQ(Value({DW_OP_const2u, 0, 1, DW_OP_lit8, DW_OP_shr}), 1U);
  EXPECT_EQ(Value({DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit7, DW_OP_lit9}), 9U);
  EXPECT_EQ(Value({DW_OP_lit1, DW_OP_lit2, DW_OP_swap, DW_OP_minus}), 1U);
  EXPECT_EQ(Value({DW_OP_lit5, DW_OP_lit6, DW_OP_over, DW_OP_mul, DW_OP_plus}),
            35U);
}

TEST_F(ExpressionTest, WhatMakesNoSenseHasNoValue) {
  EXPECT_EQ(Value({}), std::nullopt);
  EXPECT_EQ(Value({DW_OP_plus}), std::nullopt);
  EXPECT_EQ(Value({DW_OP_breg3, 0}), std::nullopt);  // not known
  EXPECT_EQ(Value({DW_OP_bregx, 99, 0}), std::nullopt);
  EXPECT_EQ(Value({DW_OP_const8u, 1}), std::nullopt);        // cut off
  EXPECT_EQ(Value({DW_OP_skip, 0xfd, 0xff}), std::nullopt);  // for ever
  EXPECT_EQ(Value({DW_OP_skip, 0x7f, 0x7f}), std::nullopt);
  EXPECT_EQ(Value({0xff}), std::nullopt);
}

}  // namespace
}  // namespace edgewise::symbols
