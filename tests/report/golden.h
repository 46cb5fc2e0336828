// Compares a rendering with the file that holds what it should look like.
#ifndef EDGEWISE_TESTS_REPORT_GOLDEN_H_
#define EDGEWISE_TESTS_REPORT_GOLDEN_H_

#include <string>

namespace edgewise {

// Fails the current test where `text` differs from golden/NAME. With
// EDGEWISE_UPDATE_GOLDENS=1 in the environment the file is rewritten instead,
// for review as a diff.
void ExpectGolden(const std::string& name, const std::string& text);

// The longest line of a text, in columns of a terminal.
int LongestLine(const std::string& text);

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_REPORT_GOLDEN_H_
