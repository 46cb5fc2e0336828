#include "mqtt/json_fields.h"

#include <cstring>

#include "base/text.h"

namespace edgewise::mqtt {
namespace {

constexpr int kMostNested = 64;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

JsonFields::JsonFields(std::string_view text) : text_(text) {
  SkipBlanks();
  inside_ = Take('{');
}

void JsonFields::SkipBlanks() {
  while (at_ < text_.size() && IsBlank(text_[at_])) {
    ++at_;
  }
}

bool JsonFields::Take(char c) {
  if (at_ < text_.size() && text_[at_] == c) {
    ++at_;
    return true;
  }
  return false;
}

std::optional<std::string_view> JsonFields::TakeString() {
  if (!Take('"')) {
    return std::nullopt;
  }
  const size_t begin = at_;
  while (at_ < text_.size()) {
    const void* const found =
        std::memchr(text_.data() + at_, '"', text_.size() - at_);
    if (found == nullptr) {
      break;
    }
    const auto quote =
        static_cast<size_t>(static_cast<const char*>(found) - text_.data());
    size_t backslashes = 0;
    while (quote > begin + backslashes &&
           text_[quote - backslashes - 1] == '\\') {
      ++backslashes;
    }
    at_ = quote + 1;
    if (backslashes % 2 == 0) {
      return text_.substr(begin, quote - begin);
    }
  }
  at_ = text_.size();
  return std::nullopt;
}

bool JsonFields::SkipNested() {
  int depth = 0;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      if (!TakeString()) {
        return false;
      }
      continue;
    }
    ++at_;
    if (c == '{' || c == '[') {
      if (++depth > kMostNested) {
        return false;
      }
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return true;
    }
  }
  return false;
}

std::optional<std::string_view> JsonFields::TakeValue() {
  SkipBlanks();
  const size_t begin = at_;
  if (at_ >= text_.size()) {
    return std::nullopt;
  }
  if (text_[at_] == '"') {
    if (!TakeString()) {
      return std::nullopt;
    }
  } else if (text_[at_] == '{' || text_[at_] == '[') {
    if (!SkipNested()) {
      return std::nullopt;
    }
  } else {
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '}' &&
           !IsBlank(text_[at_])) {
      ++at_;
    }
  }
  if (at_ == begin) {
    return std::nullopt;
  }
  return text_.substr(begin, at_ - begin);
}

bool JsonFields::Next() {
  if (!inside_) {
    return false;
  }
  inside_ = false;
  SkipBlanks();
  if (Take('}')) {
    SkipBlanks();
    whole_ = at_ == text_.size();
    return false;
  }
  if (!first_ && !Take(',')) {
    return false;
  }
  first_ = false;
  SkipBlanks();
  const auto name = TakeString();
  SkipBlanks();
  if (!name || !Take(':')) {
    return false;
  }
  const auto value = TakeValue();
  if (!value) {
    return false;
  }
  name_ = *name;
  value_ = *value;
  inside_ = true;
  return true;
}

std::optional<int64_t> JsonFields::Integer() const { return ParseInt(value_); }

std::optional<std::string_view> JsonFields::Text() const {
  if (value_.size() < 2 || value_.front() != '"') {
    return std::nullopt;
  }
  return value_.substr(1, value_.size() - 2);
}

}  // namespace edgewise::mqtt
