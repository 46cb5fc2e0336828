#include "client/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

namespace edgewise::client {
namespace {

constexpr char kAgentSocket[] = "/run/edgewise/agent.sock";

// A power of two within the allowed range; the default for anything else.
uint32_t RingBytesFromEnvironment() {
  const char* text = getenv("EDGEWISE_RING_BYTES");
  if (text == nullptr) {
    return kDefaultRingBytes;
  }
  uint64_t bytes = 0;
  for (; *text >= '0' && *text <= '9' && bytes <= kMaxRingBytes; ++text) {
    bytes = bytes * 10 + static_cast<uint64_t>(*text - '0');
  }
  RegionShape shape;
  shape.ring_bytes = bytes <= kMaxRingBytes ? static_cast<uint32_t>(bytes) : 0;
  return *text == '\0' && shape.valid() ? shape.ring_bytes : kDefaultRingBytes;
}

// The name of the executable, or as much of it as fits.
void ReadProgramName(char* name, size_t size) {
  char path[512];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
  if (length <= 0) {
    return;
  }
  path[length] = '\0';
  const char* slash = strrchr(path, '/');
  const char* base = slash != nullptr ? slash + 1 : path;
  memcpy(name, base, strnlen(base, size - 1));
}

// Lines of text in a fixed buffer; what does not fit is left out as a whole.
class IdentityText {
 public:
  IdentityText() : size_(strlen(kIdentityMagic)) {
    memcpy(text_, kIdentityMagic, size_);
  }
  // Values end at their first line break.
  void Add(const char* key, const char* value) {
    if (value == nullptr || *value == '\0') {
      return;
    }
    const size_t key_bytes = strlen(key);
    const size_t value_bytes = strcspn(value, "\n");
    if (size_ + key_bytes + value_bytes + 2 > sizeof(text_)) {
      return;
    }
    Append(key, key_bytes);
    Append("=", 1);
    Append(value, value_bytes);
    Append("\n", 1);
    any_ = true;
  }
  void Add(const char* key, uint64_t value) {
    char digits[24];
    char* at = digits + sizeof(digits);
    *--at = '\0';
    do {
      *--at = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    Add(key, at);
  }
  bool any() const { return any_; }
  const char* data() const { return text_; }
  size_t size() const { return size_; }

 private:
  void Append(const char* bytes, size_t count) {
    memcpy(text_ + size_, bytes, count);
    size_ += count;
  }

  char text_[kMaxIdentityBytes];
  size_t size_;
  bool any_ = false;
};

}  // namespace

void OwnedFd::Adopt(int new_fd) {
  fd = new_fd;
  struct stat status;
  if (fd >= 0 && fstat(fd, &status) == 0) {
    device = status.st_dev;
    inode = status.st_ino;
  }
}

bool OwnedFd::StillOurs() const {
  struct stat status;
  return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == device &&
         status.st_ino == inode;
}

void OwnedFd::Close() {
  if (StillOurs()) {
    close(fd);
  }
  fd = -1;
}

RegionShape ChooseShape() {
  RegionShape shape;
  shape.ring_bytes = RingBytesFromEnvironment();
  // Growing a file beyond this limit would send SIGXFSZ to the application.
  rlimit file_size;
  if (getrlimit(RLIMIT_FSIZE, &file_size) == 0) {
    while (shape.slot_count > 0 && shape.total_bytes() > file_size.rlim_cur) {
      --shape.slot_count;
    }
  }
  return shape;
}

int CreateRegionFd(const RegionShape& shape) {
  const int fd = memfd_create("edgewise", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) {
    return -1;
  }
  if (ftruncate(fd, static_cast<off_t>(shape.total_bytes())) != 0 ||
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

int ConnectToCollector() {
  const char* path = getenv("EDGEWISE_SOCKET");
  if (path == nullptr || *path == '\0') {
    path = kAgentSocket;
  }
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (strlen(path) >= sizeof(address.sun_path)) {
    return -1;
  }
  strcpy(address.sun_path, path);
  const int fd =
      socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    return -1;
  }
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) !=
      0) {
    close(fd);
    return -1;
  }
  return fd;
}

bool SendIdentity(int socket_fd, uint64_t detached_ns) {
  IdentityText text;
  if (detached_ns != 0) {
    text.Add("detached_ns", detached_ns);
  }
  text.Add("app", getenv("EDGEWISE_APP"));
  text.Add("instance", getenv("EDGEWISE_INSTANCE"));
  text.Add("labels", getenv("EDGEWISE_LABELS"));
  return !text.any() ||
         send(socket_fd, text.data(), text.size(),
              MSG_DONTWAIT | MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

bool SendHello(int socket_fd, const RegionShape& shape,
               const LossCounters& losses_before, int region_fd) {
  Hello hello = {};
  hello.magic = kRegionMagic;
  hello.version = kLayoutVersion;
  hello.slot_count = shape.slot_count;
  hello.ring_bytes = shape.ring_bytes;
  hello.losses_before = losses_before;
  hello.pid = getpid();
  hello.tid = static_cast<int32_t>(syscall(SYS_gettid));
  ReadProgramName(hello.program, sizeof(hello.program));

  iovec part = {&hello, sizeof(hello)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  cmsghdr* rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(rights), &region_fd, sizeof(int));
  return sendmsg(socket_fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) ==
         static_cast<ssize_t>(sizeof(hello));
}

bool SendDoorbell(const OwnedFd& socket) {
  if (!socket.StillOurs()) {
    return false;
  }
  const char byte = 1;
  return send(socket.fd, &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ||
         errno == EAGAIN;
}

bool PeerIsAlive(const OwnedFd& socket) {
  if (!socket.StillOurs()) {
    return false;
  }
  pollfd entry = {socket.fd, 0, 0};
  return poll(&entry, 1, 0) == 0;
}

}  // namespace edgewise::client
