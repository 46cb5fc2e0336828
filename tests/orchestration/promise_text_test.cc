#include "orchestration/promise_text.h"

#include <gtest/gtest.h>

namespace edgewise::orchestration {
namespace {

TEST(PromiseTextTest, APromiseIsReadAsItIsWritten) {
  const Sla sla{0.99, 12'500'000};
  EXPECT_EQ(PromiseText(sla), "p99 within 12.5 ms");
  const auto read = ParsePromise("p99 within 12.5 ms");
  ASSERT_TRUE(read);
  EXPECT_DOUBLE_EQ(read->quantile, 0.99);
  EXPECT_EQ(read->delay_ns, 12'500'000);
}

TEST(PromiseTextTest, LongDelaysKeepAllDigits) {
  const Sla sla{0.95, 1'234'567'891'234};
  EXPECT_EQ(PromiseText(sla), "p95 within 1234567.891234 ms");
  EXPECT_EQ(ParsePromise(PromiseText(sla))->delay_ns, sla.delay_ns);
}

TEST(PromiseTextTest, OtherTextsAreNoPromise) {
  for (const char* text :
       {"", "soon", "p95", "p95 within 80", "p95 within -1 ms",
        "p95 within nan ms", "p95 within inf ms", "p20 within 80 ms",
        "p100 within 80 ms", "p95 within 80 ms or so"}) {
    EXPECT_FALSE(ParsePromise(text)) << text;
  }
}

}  // namespace
}  // namespace edgewise::orchestration
