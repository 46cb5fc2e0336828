#include "golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/text.h"
#include "report/utf8.h"

namespace edgewise {

void ExpectGolden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(EDGEWISE_GOLDEN_DIR) / name;
  const char* update = std::getenv("EDGEWISE_UPDATE_GOLDENS");
  if (update != nullptr && std::string_view(update) == "1") {
    const auto written = WriteFile(path, text);
    ASSERT_TRUE(written.ok()) << written.error().message;
    return;
  }
  const auto expected = ReadFile(path);
  ASSERT_TRUE(expected.ok())
      << expected.error().message
      << "; run with EDGEWISE_UPDATE_GOLDENS=1 to make it";
  EXPECT_EQ(text, *expected)
      << "differs from " << name
      << "; if it should, run with EDGEWISE_UPDATE_GOLDENS=1 and review";
}

int LongestLine(const std::string& text) {
  int longest = 0;
  for (const std::string_view line : Split(text, '\n')) {
    longest = std::max(longest, DisplayWidth(line));
  }
  return longest;
}

}  // namespace edgewise
