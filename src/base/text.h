// Reading small files and parsing text: the one place for both.
//
// Parsers accept exactly the whole text (no leading or trailing rubbish) and
// never throw.
#ifndef EDGEWISE_BASE_TEXT_H_
#define EDGEWISE_BASE_TEXT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

// The whole content of a file (also of /proc and /sys files, whose size is not
// known in advance). The error names the file.
Result<std::string> ReadFile(const std::filesystem::path& path);
// The same where absence is normal: nullopt if it cannot be read.
std::optional<std::string> TryReadFile(const std::filesystem::path& path);
// Replaces the content of an existing or new file with one write(2); what
// cgroup and sysfs control files need.
Result<void> WriteFile(const std::filesystem::path& path,
                       std::string_view content);

std::string_view Trim(std::string_view text);
// Splits at every `separator`; empty pieces are kept.
std::vector<std::string_view> Split(std::string_view text, char separator);
// Splits at runs of white space; no empty pieces.
std::vector<std::string_view> SplitFields(std::string_view text);
std::string Join(const std::vector<std::string>& pieces,
                 std::string_view separator);

std::optional<int64_t> ParseInt(std::string_view text);
std::optional<uint64_t> ParseUint(std::string_view text);
std::optional<double> ParseDouble(std::string_view text);

// The value of "key value" or "key: value" lines, as in /proc/PID/status,
// memory.stat or cpu.stat; nullopt if the key is not there. Only the first
// number after the key is read, a unit such as "kB" is ignored.
std::optional<int64_t> FindKeyedInt(std::string_view text,
                                    std::string_view key);

// A command line as a person would type it: words with blanks or quotes are
// quoted for a POSIX shell.
std::string ShellQuote(const std::vector<std::string>& words);
// Splits a command line as a POSIX shell would split words (quotes and
// backslashes, no expansion).
Result<std::vector<std::string>> ShellSplit(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_TEXT_H_
