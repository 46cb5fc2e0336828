#include "probes/tree_account.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

ResourceUse Cpu(int64_t ns) {
  ResourceUse use;
  use.cpu_ns = ns;
  return use;
}

TEST(TreeAccountTest, SumsLiveMembers) {
  TreeAccount account;
  account.Update(10, 1, Cpu(5), {}, false);
  account.Update(11, 10, Cpu(7), {}, false);
  EXPECT_EQ(account.Total().cpu_ns, 12);
}

TEST(TreeAccountTest, EndedMembersKeepCounting) {
  TreeAccount account;
  account.Update(10, 1, Cpu(5), {}, false);
  account.Update(11, 10, Cpu(7), {}, false);
  account.Leave({11});
  EXPECT_EQ(account.Total().cpu_ns, 12);
}

TEST(TreeAccountTest, AWaitedChildIsNotCountedTwice) {
  TreeAccount account;
  account.Update(10, 1, Cpu(5), {}, false);
  account.Update(11, 10, Cpu(7), {}, false);
  account.Leave({11});
  account.Update(10, 1, Cpu(5), Cpu(7), false);
  EXPECT_EQ(account.Total().cpu_ns, 12);
}

TEST(TreeAccountTest, ChildrenThatWereNeverSeenCountOnceWaitedFor) {
  TreeAccount account;
  account.Update(10, 1, Cpu(5), {}, false);
  account.Update(10, 1, Cpu(6), Cpu(100), false);
  EXPECT_EQ(account.Total().cpu_ns, 106);
  account.Leave({10});  // its own parent is not in the tree
  EXPECT_EQ(account.Total().cpu_ns, 106);
}

TEST(TreeAccountTest, ParentAndChildMayEndTogether) {
  TreeAccount account;
  account.Update(10, 1, Cpu(1), {}, false);
  account.Update(11, 10, Cpu(5), {}, false);
  account.Update(12, 11, Cpu(7), {}, false);
  account.Leave({11, 12});
  account.Update(10, 1, Cpu(1), Cpu(12), false);
  EXPECT_EQ(account.Total().cpu_ns, 13);
}

TEST(TreeAccountTest, FromNowLeavesOutWhatWasUsedBefore) {
  TreeAccount account;
  account.Update(10, 1, Cpu(1000), Cpu(500), true);
  EXPECT_EQ(account.Total().cpu_ns, 0);
  account.Update(10, 1, Cpu(1003), Cpu(520), true);
  EXPECT_EQ(account.Total().cpu_ns, 23);
}

TEST(TreeAccountTest, WhatAChildUsedBeforeDoesNotComeBackThroughItsParent) {
  TreeAccount account;
  account.Update(10, 1, Cpu(1000), {}, true);
  account.Update(11, 10, Cpu(400), {}, true);
  account.Update(11, 10, Cpu(407), {}, true);
  account.Leave({11});
  account.Update(10, 1, Cpu(1000), Cpu(407), true);
  EXPECT_EQ(account.Total().cpu_ns, 7);
}

TEST(TreeAccountTest, NeverGoesBackwards) {
  TreeAccount account;
  account.Update(10, 1, Cpu(50), Cpu(30), false);
  EXPECT_EQ(account.Total().cpu_ns, 80);
  account.Update(10, 1, Cpu(40), Cpu(0), false);
  EXPECT_EQ(account.Total().cpu_ns, 80);
}

TEST(TreeAccountTest, EveryFieldIsSummed) {
  TreeAccount account;
  const ResourceUse use{1, 2, 3, 4, 5, 6, 7};
  account.Update(10, 1, use, {}, false);
  account.Update(11, 1, use, {}, false);
  const ResourceUse total = account.Total();
  EXPECT_EQ(total.cpu_ns, 2);
  EXPECT_EQ(total.user_ns, 4);
  EXPECT_EQ(total.system_ns, 6);
  EXPECT_EQ(total.minor_faults, 8);
  EXPECT_EQ(total.major_faults, 10);
  EXPECT_EQ(total.read_bytes, 12);
  EXPECT_EQ(total.write_bytes, 14);
}

}  // namespace
}  // namespace edgewise
