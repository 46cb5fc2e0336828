// The module libedgewise-archive.so: Unpack over libarchive.
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "datasets/archive/archive_reader.h"
#include "datasets/archive/unpack_budget.h"
#include "datasets/entry_name.h"
#include "datasets/unpack.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

int64_t SizeOf(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : static_cast<int64_t>(size);
}

class Unpacking {
 public:
  explicit Unpacking(const UnpackOrder& order)
      : order_(order),
        reader_(order.shown),
        budget_(order.shown, order.limits, SizeOf(order.archive)) {}

  Result<Manifest> Run();

 private:
  Result<void> Take(archive_entry* entry);
  Result<void> TakeFile(archive_entry* entry, const std::string& name);
  Result<void> TakeContent(int fd, archive_entry* entry,
                           const std::string& name, Sha256& digest,
                           int64_t& size);
  Result<void> Grow(int64_t bytes);
  Result<void> MakeFolder(const fs::path& path);
  Result<void> MakeLinks();
  Result<void> MakeLink(const std::string& name, const std::string& target,
                        bool is_hard);
  Error Refused(std::string_view why) const {
    return RefusedArchive(order_.shown, why);
  }
  Error CannotWrite(const std::string& name, int errno_value) const;

  const UnpackOrder& order_;
  ArchiveReader reader_;
  Manifest manifest_;
  struct Link {
    std::string name;
    std::string target;
    bool is_hard = false;
  };
  std::vector<Link> links_;  // made when everything else is there
  UnpackBudget budget_;
};

Result<Manifest> Unpacking::Run() {
  if (auto opened = reader_.Open(order_.archive); !opened) {
    return opened.error();
  }
  for (;;) {
    const auto entry = reader_.Next();
    if (!entry) {
      return entry.error();
    }
    if (*entry == nullptr) {
      break;
    }
    if (auto taken = Take(*entry); !taken) {
      return taken.error();
    }
  }
  if (auto made = MakeLinks(); !made) {
    return made.error();
  }
  if (manifest_.files() == 0) {
    return Refused("there are no files in it");
  }
  return std::move(manifest_);
}

Result<void> Unpacking::Take(archive_entry* entry) {
  if (auto taken = budget_.TakeEntry(); !taken) {
    return taken;
  }
  const char* stored = archive_entry_pathname(entry);
  if (stored == nullptr) {
    stored = archive_entry_pathname_utf8(entry);
  }
  const auto name = EntryName(stored != nullptr ? stored : "");
  if (!name) {
    return Refused(name.error().message);
  }
  if (archive_entry_is_encrypted(entry) != 0) {
    return Refused("\"" + *name +
                   "\" is encrypted; pack it without a password");
  }
  if (const char* const target = archive_entry_hardlink(entry)) {
    const auto of = EntryName(target);
    if (!of) {
      return Refused("the link \"" + *name + "\" to " + of.error().message);
    }
    links_.push_back({*name, *of, true});
    return {};
  }
  switch (archive_entry_filetype(entry)) {
    case AE_IFDIR:
      return MakeFolder(order_.folder / *name);
    case AE_IFREG:
      return TakeFile(entry, *name);
    case AE_IFLNK: {
      const char* const target = archive_entry_symlink(entry);
      if (target == nullptr || !LinkStaysInside(*name, target)) {
        return Refused("the link \"" + *name +
                       "\" leads out of the dataset's folder (" +
                       (target != nullptr ? target : "") + ")");
      }
      links_.push_back({*name, target, false});
      return {};
    }
    default:
      return Refused("\"" + *name + "\" is a device, pipe or socket");
  }
}

Result<void> Unpacking::TakeFile(archive_entry* entry,
                                 const std::string& name) {
  const fs::path path = order_.folder / name;
  if (auto made = MakeFolder(path.parent_path()); !made) {
    return made;
  }
  const UniqueFd file(
      ::open(path.c_str(),
             O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) {
    return CannotWrite(name, errno);
  }
  Sha256 digest;
  int64_t size = 0;
  if (auto taken = TakeContent(file.get(), entry, name, digest, size); !taken) {
    return taken;
  }
  const bool runs = (archive_entry_perm(entry) & S_IXUSR) != 0;
  const timespec times[2] = {
      {0, UTIME_OMIT},
      {archive_entry_mtime(entry), archive_entry_mtime_nsec(entry)}};
  if (::ftruncate(file.get(), size) != 0 ||
      ::fchmod(file.get(), runs ? 0755 : 0644) != 0) {
    return CannotWrite(name, errno);
  }
  if (archive_entry_mtime_is_set(entry) != 0) {
    ::futimens(file.get(), times);  // a nicety
  }
  manifest_.AddFile(name, digest.HexDigest(), size);
  return {};
}

Result<void> Unpacking::TakeContent(int fd, archive_entry* entry,
                                    const std::string& name, Sha256& digest,
                                    int64_t& size) {
  for (;;) {
    const auto block = reader_.NextBlock();
    if (!block) {
      return block.error();
    }
    if (!*block) {
      break;
    }
    const int64_t hole = (*block)->offset - size;
    const auto more = static_cast<int64_t>((*block)->bytes.size());
    if (hole < 0) {
      return Refused("parts of a file in it overlap");
    }
    if (auto grown = Grow(hole); !grown) {
      return grown;
    }
    if (auto grown = Grow(more); !grown) {
      return grown;
    }
    digest.UpdateZeros(hole);
    digest.Update((*block)->bytes);
    if (hole > 0 && ::lseek(fd, hole, SEEK_CUR) < 0) {
      return CannotWrite(name, errno);
    }
    if (const int failed = WriteAll(fd, (*block)->bytes); failed != 0) {
      return CannotWrite(name, failed);
    }
    size += hole + more;
  }
  // A hole at the end.
  const int64_t rest = archive_entry_size_is_set(entry) != 0
                           ? archive_entry_size(entry) - size
                           : 0;
  if (rest > 0) {
    if (auto grown = Grow(rest); !grown) {
      return grown;
    }
    digest.UpdateZeros(rest);
    size += rest;
  }
  return {};
}

Result<void> Unpacking::Grow(int64_t bytes) {
  if (auto taken = budget_.TakeBytes(bytes); !taken) {
    return taken;
  }
  if (order_.listener && !order_.listener(budget_.bytes())) {
    return Error{ErrorCode::kBusy, "unpacking the dataset was cancelled"};
  }
  return {};
}

Result<void> Unpacking::MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    return CannotWrite(path.lexically_relative(order_.folder).string(),
                       error.value());
  }
  return {};
}

Result<void> Unpacking::MakeLinks() {
  for (const bool is_hard : {true, false}) {
    for (const Link& link : links_) {
      if (link.is_hard != is_hard) {
        continue;
      }
      if (auto made = MakeLink(link.name, link.target, is_hard); !made) {
        return made;
      }
    }
  }
  return {};
}

Result<void> Unpacking::MakeLink(const std::string& name,
                                 const std::string& target, bool is_hard) {
  const fs::path path = order_.folder / name;
  if (auto made = MakeFolder(path.parent_path()); !made) {
    return made;
  }
  if (is_hard && name == target) {
    return {};
  }
  if (is_hard && !manifest_.AddCopy(name, target)) {
    return Refused("the link \"" + name + "\" leads to \"" + target +
                   "\", which is no file in it");
  }
  ::unlink(path.c_str());  // what an earlier entry of the same name made
  const int made = is_hard
                       ? ::link((order_.folder / target).c_str(), path.c_str())
                       : ::symlink(target.c_str(), path.c_str());
  if (made != 0) {
    return CannotWrite(name, errno);
  }
  if (!is_hard) {
    manifest_.AddLink(name, target);
  }
  return {};
}

Error Unpacking::CannotWrite(const std::string& name, int errno_value) const {
  if (errno_value == ENOSPC || errno_value == EDQUOT) {
    return NoRoomFor(order_.shown);
  }
  if (errno_value == ENOTDIR || errno_value == EEXIST ||
      errno_value == EISDIR) {
    return Refused("\"" + name + "\" is both a file and a folder in it");
  }
  return {ErrorCodeFromErrno(errno_value),
          "cannot unpack \"" + name + "\" of " + std::string(order_.shown) +
              ": " + ErrnoText(errno_value)};
}

Result<Manifest> UnpackArchive(const UnpackOrder& order) {
  return Unpacking(order).Run();
}

}  // namespace
}  // namespace edgewise

extern "C" __attribute__((visibility("default"))) edgewise::UnpackFunction
edgewise_archive_unpack_1() {
  return &edgewise::UnpackArchive;
}
