#include "base/text.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/unique_fd.h"

namespace edgewise {
namespace {

bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == '\v';
}

template <typename T>
std::optional<T> ParseNumber(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty()) {
    return std::nullopt;
  }
  return value;
}

// Reads until end of file; returns 0 or the errno of the failing call.
int ReadAll(const std::filesystem::path& path, std::string* content) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    return errno;
  }
  constexpr size_t kChunkBytes = 16384;
  size_t used = 0;
  while (true) {
    content->resize(used + kChunkBytes);
    const ssize_t got = ::read(fd.get(), content->data() + used, kChunkBytes);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      const int error = got < 0 ? errno : 0;
      content->resize(used);
      return error;
    }
    used += static_cast<size_t>(got);
  }
}

}  // namespace

Result<std::string> ReadFile(const std::filesystem::path& path) {
  std::string content;
  if (const int error = ReadAll(path, &content); error != 0) {
    return Error{ErrorCodeFromErrno(error),
                 "cannot read " + path.string() + ": " + ErrnoText(error)};
  }
  return content;
}

std::optional<std::string> TryReadFile(const std::filesystem::path& path) {
  std::string content;
  if (ReadAll(path, &content) != 0) {
    return std::nullopt;
  }
  return content;
}

Result<void> WriteFile(const std::filesystem::path& path,
                       std::string_view content) {
  const auto fail = [&path] {
    const int error = errno;
    return Error{ErrorCodeFromErrno(error),
                 "cannot write " + path.string() + ": " + ErrnoText(error)};
  };
  const UniqueFd fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd.valid()) {
    return fail();
  }
  while (!content.empty()) {
    const ssize_t put = ::write(fd.get(), content.data(), content.size());
    if (put < 0) {
      if (errno == EINTR) {
        continue;
      }
      return fail();
    }
    content.remove_prefix(static_cast<size_t>(put));
  }
  return {};
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && IsBlank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const size_t at = text.find(separator);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) {
      return pieces;
    }
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> SplitFields(std::string_view text) {
  std::vector<std::string_view> fields;
  size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && IsBlank(text[at])) {
      ++at;
    }
    const size_t start = at;
    while (at < text.size() && !IsBlank(text[at])) {
      ++at;
    }
    if (at > start) {
      fields.push_back(text.substr(start, at - start));
    }
  }
  return fields;
}

std::string Join(const std::vector<std::string>& pieces,
                 std::string_view separator) {
  std::string joined;
  for (const std::string& piece : pieces) {
    if (&piece != &pieces.front()) {
      joined += separator;
    }
    joined += piece;
  }
  return joined;
}

std::optional<int64_t> ParseInt(std::string_view text) {
  return ParseNumber<int64_t>(text);
}

std::optional<uint64_t> ParseUint(std::string_view text) {
  return ParseNumber<uint64_t>(text);
}

std::optional<double> ParseDouble(std::string_view text) {
  return ParseNumber<double>(text);
}

std::optional<int64_t> FindKeyedInt(std::string_view text,
                                    std::string_view key) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.starts_with(key)) {
      continue;
    }
    line.remove_prefix(key.size());
    if (line.empty() || (line.front() != ':' && !IsBlank(line.front()))) {
      continue;
    }
    line.remove_prefix(1);
    line = Trim(line);
    return ParseInt(line.substr(0, line.find_first_of(" \t")));
  }
  return std::nullopt;
}

std::string ShellQuote(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./,:@%^";
  std::string line;
  for (const std::string& word : words) {
    if (&word != &words.front()) {
      line += ' ';
    }
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'') {
        line += "'\\''";
      } else {
        line += c;
      }
    }
    line += '\'';
  }
  return line;
}

Result<std::vector<std::string>> ShellSplit(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\'') {
      if (c == '\'') {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\\' && i + 1 < text.size()) {
      const char next = text[++i];
      if (quote == '"' && next != '"' && next != '\\' && next != '$' &&
          next != '`') {
        word += c;
      }
      word += next;
      in_word = true;
    } else if (quote == '"') {
      if (c == '"') {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (IsBlank(c)) {
      if (in_word) {
        words.push_back(std::move(word));
        word.clear();
        in_word = false;
      }
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) {
    return Error{ErrorCode::kInvalid,
                 "the command \"" + std::string(text) +
                     "\" has an unclosed quote: close it or remove it"};
  }
  if (in_word) {
    words.push_back(std::move(word));
  }
  return words;
}

}  // namespace edgewise
