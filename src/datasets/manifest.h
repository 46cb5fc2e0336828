// Manifest: the names and digests of a dataset's files, and so its own digest.
#ifndef EDGEWISE_DATASETS_MANIFEST_H_
#define EDGEWISE_DATASETS_MANIFEST_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace edgewise {

// The digest is that of the lines that `sha256sum` prints for the files, in the
// order of the bytes of their names. Links count by where they lead ("link
// TARGET  NAME"); folders, permissions and times do not count.
class Manifest {
 public:
  // A name that was there is replaced.
  void AddFile(std::string name, std::string_view sha256, int64_t bytes);
  void AddLink(std::string name, std::string_view target);
  // Another name of a file that is there; false if there is none.
  bool AddCopy(std::string name, const std::string& of);
  bool Has(const std::string& name) const { return entries_.contains(name); }

  std::string Digest() const;
  int64_t bytes() const;  // of files
  int64_t files() const { return static_cast<int64_t>(entries_.size()); }

 private:
  struct Entry {
    std::string what;  // the digest, or "link TARGET"
    int64_t bytes = 0;
    bool is_link = false;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_MANIFEST_H_
