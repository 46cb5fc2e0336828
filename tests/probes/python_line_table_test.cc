#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>

#include <charconv>
#include <string>

#include "base/text.h"
#include "probes/python/line_table.h"
#include "probes/python/object_text.h"

namespace edgewise::python {
namespace {

using namespace std::string_view_literals;

TEST(PythonLineTableTest, EachFormOfEntryIsUnderstood) {
  const LineTable table(
      "\xe8\x02"              // 1 unit, line + 1
      "\x81\x10"              // 2 units, the same line
      "\xd8\x10\x10"          // 1 unit, line + 1
      "\xe0\x10\x10"          // 1 unit, line + 2
      "\xf8"                  // 1 unit, no line
      "\xf2\x05\x00\x01\x01"  // 3 units, line - 2
      "\xe8\x40\x02"          // 1 unit, line + 64
      ""sv,
      7);
  EXPECT_EQ(table.LineAt(0), 8);
  EXPECT_EQ(table.LineAt(1), 8);
  EXPECT_EQ(table.LineAt(2), 8);
  EXPECT_EQ(table.LineAt(3), 9);
  EXPECT_EQ(table.LineAt(4), 11);
  EXPECT_EQ(table.LineAt(5), 0);
  EXPECT_EQ(table.LineAt(6), 9);
  EXPECT_EQ(table.LineAt(8), 9);
  EXPECT_EQ(table.LineAt(9), 73);
  EXPECT_EQ(table.LineAt(10), 0);
}

TEST(PythonLineTableTest, RubbishHasNoLines) {
  EXPECT_EQ(LineTable().LineAt(0), 0);
  EXPECT_EQ(LineTable("\x01\x02\x03"sv, 7).LineAt(0), 0);
  EXPECT_EQ(LineTable("\xe8"sv, 7).LineAt(0), 7);
  EXPECT_EQ(LineTable("\xe8\x03"sv, 1).LineAt(0), 0);  // line 0
  EXPECT_EQ(
      LineTable("\xe8\x7e\x7f\x7f\x7f\x7f\x7f\x7f"sv, 2147483647).LineAt(0), 0);
}

// What Python itself says of every function of some large modules.
TEST(PythonLineTableTest, AgreesWithPython) {
  constexpr char kCommand[] =
      "/usr/bin/python3 -c '\n"
      "import argparse, inspect, tarfile, typing, types\n"
      "def show(code):\n"
      "    lines = []\n"
      "    for start, end, line in code.co_lines():\n"
      "        lines += [str(line or 0)] * ((end - start) // 2)\n"
      "    print(code.co_firstlineno, code.co_linetable.hex() or \"-\", "
      "*lines)\n"
      "    for const in code.co_consts:\n"
      "        if isinstance(const, types.CodeType): show(const)\n"
      "for module in argparse, inspect, tarfile, typing:\n"
      "    source = open(module.__file__).read()\n"
      "    show(compile(source, module.__file__, \"exec\"))\n"
      "'";
  FILE* const pipe = popen(kCommand, "re");
  ASSERT_NE(pipe, nullptr);
  std::string output;
  char buffer[4096];
  size_t bytes = 0;
  while ((bytes = fread(buffer, 1, sizeof buffer, pipe)) > 0) {
    output.append(buffer, bytes);
  }
  ASSERT_EQ(pclose(pipe), 0);
  size_t functions = 0;
  for (const std::string_view line : Split(Trim(output), '\n')) {
    const auto fields = SplitFields(line);
    ASSERT_GE(fields.size(), 2u);
    std::string bytes_of_table;
    for (size_t i = 0; i + 1 < fields[1].size(); i += 2) {
      uint8_t byte = 0;
      std::from_chars(fields[1].data() + i, fields[1].data() + i + 2, byte, 16);
      bytes_of_table += static_cast<char>(byte);
    }
    const LineTable table(bytes_of_table,
                          static_cast<int32_t>(*ParseInt(fields[0])));
    for (size_t unit = 0; unit + 2 < fields.size(); ++unit) {
      ASSERT_EQ(table.LineAt(unit), ParseInt(fields[unit + 2])) << line;
    }
    EXPECT_EQ(table.LineAt(fields.size() - 2), 0);
    ++functions;
  }
  EXPECT_GT(functions, 500u);
}

TEST(PythonTextTest, CharactersOfEachWidthBecomeUtf8) {
  EXPECT_EQ(Utf8FromCharacters("gr\xf6\xdf", 1), "größ");
  EXPECT_EQ(Utf8FromCharacters("\x26\x20\x9e\x8a"sv, 2), "…語");
  EXPECT_EQ(Utf8FromCharacters("\x30\x03\x01\x00"sv, 4), "𐌰");
}

TEST(PythonTextTest, WhatIsNoTextIsReplaced) {
  EXPECT_EQ(Utf8FromCharacters("a\nb\x7f\x85", 1), "a?b??");
  EXPECT_EQ(Utf8FromCharacters("\x80\xdc"sv, 2), "\xef\xbf\xbd");
  EXPECT_EQ(Utf8FromCharacters("\xff\xff\xff\xff"sv, 4), "\xef\xbf\xbd");
  EXPECT_EQ(Utf8FromCharacters("abc"sv, 2), "扡");
}

}  // namespace
}  // namespace edgewise::python
