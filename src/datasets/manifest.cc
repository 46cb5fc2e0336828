#include "datasets/manifest.h"

#include "base/sha256.h"

namespace edgewise {
namespace {

// sha256sum begins a line with a backslash where it had to escape the name.
std::string Line(std::string_view what, std::string_view name) {
  std::string escaped;
  for (const char c : name) {
    switch (c) {
      case '\\':
        escaped += "\\\\";
        break;
      case '\n':
        escaped += "\\n";
        break;
      case '\r':
        escaped += "\\r";
        break;
      default:
        escaped += c;
    }
  }
  std::string line = escaped.size() > name.size() ? "\\" : "";
  line += what;
  line += "  ";
  line += escaped;
  line += '\n';
  return line;
}

}  // namespace

void Manifest::AddFile(std::string name, std::string_view sha256,
                       int64_t bytes) {
  entries_.insert_or_assign(std::move(name),
                            Entry{std::string(sha256), bytes, false});
}

void Manifest::AddLink(std::string name, std::string_view target) {
  entries_.insert_or_assign(std::move(name),
                            Entry{"link " + std::string(target), 0, true});
}

bool Manifest::AddCopy(std::string name, const std::string& of) {
  const auto found = entries_.find(of);
  if (found == entries_.end() || found->second.is_link) {
    return false;
  }
  entries_.insert_or_assign(std::move(name), Entry(found->second));
  return true;
}

std::string Manifest::Digest() const {
  Sha256 digest;
  for (const auto& [name, entry] : entries_) {
    digest.Update(Line(entry.what, name));
  }
  return digest.HexDigest();
}

int64_t Manifest::bytes() const {
  int64_t total = 0;
  for (const auto& [name, entry] : entries_) {
    total += entry.bytes;
  }
  return total;
}

}  // namespace edgewise
