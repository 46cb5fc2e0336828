#include "containers/owner.h"

#include <gtest/gtest.h>

#include "controls/journal.h"

namespace edgewise {
namespace {

TEST(OwnerTest, ThisProcessLives) { EXPECT_FALSE(OwnerIsGone(OwnerText())); }

TEST(OwnerTest, AnotherBootEndedItsProcesses) {
  EXPECT_TRUE(OwnerIsGone("other-boot/pid:[1]/1/1"));
}

TEST(OwnerTest, AReusedPidIsSomebodyElse) {
  const std::string here = CurrentBootId() + "/" + CurrentPidNamespace();
  EXPECT_TRUE(OwnerIsGone(here + "/1/999999999999"));
}

TEST(OwnerTest, OfAnotherNamespaceNothingIsKnown) {
  EXPECT_FALSE(OwnerIsGone(CurrentBootId() + "/pid:[1]/1/999999999999"));
}

TEST(OwnerTest, WhatMakesNoSenseIsNobodysToRemove) {
  EXPECT_FALSE(OwnerIsGone(""));
  EXPECT_FALSE(OwnerIsGone("<no value>"));
}

}  // namespace
}  // namespace edgewise
