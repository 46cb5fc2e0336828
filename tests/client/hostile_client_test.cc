// Clients that lie, scribble and flood.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <random>

#include "base/unique_fd.h"
#include "client/connection.h"
#include "client/ring_layout.h"
#include "ring_fixture.h"

namespace edgewise {
namespace {

using client::Hello;
using client::Record;
using client::RegionShape;
using testing::HasSubstr;

class HostileClientTest : public RingFixture {
 protected:
  UniqueFd Connect() { return UniqueFd(client::ConnectToCollector()); }
  static Hello GoodHello(const RegionShape& shape) {
    Hello hello{};
    hello.magic = client::kRegionMagic;
    hello.version = client::kLayoutVersion;
    hello.slot_count = shape.slot_count;
    hello.ring_bytes = shape.ring_bytes;
    return hello;
  }
  static void Send(const UniqueFd& socket, const void* data, size_t bytes,
                   const std::vector<int>& fds) {
    iovec part{const_cast<void*>(data), bytes};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(16 * sizeof(int))]{};
    if (!fds.empty()) {
      message.msg_control = control;
      message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
      cmsghdr* rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
      memcpy(CMSG_DATA(rights), fds.data(), fds.size() * sizeof(int));
    }
    ASSERT_EQ(sendmsg(socket.get(), &message, MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes));
  }
  // Connects, says this, and expects to be turned away for this reason.
  void ExpectRefused(const Hello& hello, const std::vector<int>& fds,
                     const std::string& reason) {
    const UniqueFd socket = Connect();
    ASSERT_TRUE(socket.valid());
    Send(socket, &hello, sizeof(hello), fds);
    const uint64_t before = collector_->refused_clients();
    ASSERT_TRUE(DrainUntil(
        [&] { return collector_->refused_clients() == before + 1; }));
    EXPECT_THAT(collector_->last_refusal(), HasSubstr(reason));
    EXPECT_EQ(collector_->client_count(), 0u);
  }

  RegionShape shape_{2, 4096};
};

TEST_F(HostileClientTest, WrongHelloIsRefused) {
  const UniqueFd memfd(client::CreateRegionFd(shape_));
  Hello hello = GoodHello(shape_);
  hello.magic = 1;
  ExpectRefused(hello, {memfd.get()}, "not one of edgewise");
  hello = GoodHello(shape_);
  for (const uint32_t other : {client::kLayoutVersion - 1, 99u}) {
    hello.version = other;
    ExpectRefused(hello, {memfd.get()}, "version " + std::to_string(other));
  }
  for (const auto& [slots, ring] :
       std::vector<std::pair<uint32_t, uint32_t>>{{0, 4096},
                                                  {1025, 4096},
                                                  {UINT32_MAX, 4096},
                                                  {2, 0},
                                                  {2, 5000},
                                                  {2, 2048},
                                                  {2, UINT32_MAX},
                                                  {2, 1u << 31}}) {
    hello = GoodHello({slots, ring});
    ExpectRefused(hello, {memfd.get()}, "out of range");
  }
}

TEST_F(HostileClientTest, MemoryThatIsNotAsPromisedIsRefused) {
  const Hello hello = GoodHello(shape_);
  const UniqueFd unsealed(memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(ftruncate(unsealed.get(), static_cast<off_t>(shape_.total_bytes())),
            0);
  ExpectRefused(hello, {unsealed.get()}, "not a sealed memfd");
  const UniqueFd small(client::CreateRegionFd({1, 4096}));
  ExpectRefused(hello, {small.get()}, "size");
  const UniqueFd read_only_seal(
      memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(
      ftruncate(read_only_seal.get(), static_cast<off_t>(shape_.total_bytes())),
      0);
  ASSERT_EQ(fcntl(read_only_seal.get(), F_ADD_SEALS,
                  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL),
            0);
  ExpectRefused(hello, {read_only_seal.get()}, "cannot be mapped");
  const UniqueFd file(open("/dev/null", O_RDWR | O_CLOEXEC));
  ExpectRefused(hello, {file.get()}, "not a sealed memfd");
}

TEST_F(HostileClientTest, DescriptorsMustBeExactlyOne) {
  const UniqueFd memfd(client::CreateRegionFd(shape_));
  const Hello hello = GoodHello(shape_);
  ExpectRefused(hello, {}, "not part of the protocol");
  ExpectRefused(hello, {memfd.get(), memfd.get()}, "not part of the protocol");
  ExpectRefused(hello, std::vector<int>(12, memfd.get()),
                "not part of the protocol");
}

TEST_F(HostileClientTest, RubbishAndDoubleHelloAreCutOff) {
  const UniqueFd memfd(client::CreateRegionFd(shape_));
  const Hello hello = GoodHello(shape_);
  {
    const UniqueFd socket = Connect();
    const std::string rubbish(500, 'x');
    Send(socket, rubbish.data(), rubbish.size(), {});
    ASSERT_TRUE(DrainUntil([&] { return collector_->refused_clients() == 1; }));
  }
  const UniqueFd socket = Connect();
  Send(socket, &hello, sizeof(hello), {memfd.get()});
  ASSERT_TRUE(DrainUntil([&] { return collector_->client_count() == 1; }));
  Send(socket, &hello, sizeof(hello), {memfd.get()});
  ASSERT_TRUE(DrainUntil([&] { return collector_->client_count() == 0; }));
  EXPECT_THAT(collector_->last_refusal(), HasSubstr("twice"));
}

TEST_F(HostileClientTest, FloodOfDoorbellsIsCutOff) {
  const UniqueFd memfd(client::CreateRegionFd(shape_));
  const Hello hello = GoodHello(shape_);
  const UniqueFd socket = Connect();
  Send(socket, &hello, sizeof(hello), {memfd.get()});
  ASSERT_TRUE(DrainUntil([&] { return collector_->client_count() == 1; }));
  for (int i = 0; i < 50; ++i) {
    Send(socket, "!", 1, {});
  }
  ASSERT_TRUE(DrainUntil([&] { return collector_->client_count() == 0; }));
  EXPECT_THAT(collector_->last_refusal(), HasSubstr("one message after"));
}

TEST_F(HostileClientTest, TooManyClientsAreTurnedAway) {
  collector_.reset();
  RingCollectorOptions options;
  options.socket_path = socket_path_;
  options.max_clients = 2;
  auto created = RingCollector::Create(options);
  ASSERT_TRUE(created.ok());
  collector_ = std::move(*created);
  std::vector<UniqueFd> sockets;
  for (int i = 0; i < 5; ++i) {
    sockets.push_back(Connect());
  }
  ASSERT_TRUE(DrainUntil([&] { return collector_->refused_clients() == 3; }));
}

// A region of our own to scribble into while the collector reads it.
class ScribbledRegionTest : public HostileClientTest {
 protected:
  ScribbledRegionTest()
      : memfd_(client::CreateRegionFd(shape_)),
        base_(static_cast<char*>(mmap(nullptr, shape_.total_bytes(),
                                      PROT_READ | PROT_WRITE, MAP_SHARED,
                                      memfd_.get(), 0))),
        socket_(Connect()) {
    const Hello hello = GoodHello(shape_);
    Send(socket_, &hello, sizeof(hello), {memfd_.get()});
    EXPECT_TRUE(DrainUntil([&] { return collector_->client_count() == 1; }));
  }
  ~ScribbledRegionTest() override { munmap(base_, shape_.total_bytes()); }

  client::Slot& slot(uint32_t i) {
    return reinterpret_cast<client::Slot*>(base_ +
                                           RegionShape::kSlotsOffset)[i];
  }
  Record* ring(uint32_t i) {
    return reinterpret_cast<Record*>(base_ + shape_.ring_offset(i));
  }
  void SetName(uint32_t id, const std::string& text) {
    char* entry = base_ + shape_.names_offset() + id * 64;
    entry[0] = static_cast<char>(text.size());
    memcpy(entry + 1, text.data(), text.size());
  }
  RingAccount Account() {
    return collector_->Account(sink_.started.back().id).value();
  }

  UniqueFd memfd_;
  char* base_;
  UniqueFd socket_;
};

TEST_F(ScribbledRegionTest, ImpossibleHeadsAreSkipped) {
  for (const uint64_t head : {uint64_t{1} << 40, UINT64_MAX, uint64_t{129}}) {
    slot(0).head = head;
    Drain();
  }
  EXPECT_GE(Account().invalid, 3u);
  EXPECT_TRUE(sink_.spans.empty());
}

TEST_F(ScribbledRegionTest, SenselessRecordsAreCountedAndOthersDelivered) {
  SetName(1, "good");
  const auto kind = [](int value) {
    return static_cast<client::RecordKind>(value);
  };
  Record* records = ring(0);
  records[0] = {1, kind(1), 0, 0, 5, 7, 3};
  records[1] = {1, kind(77), 0, 0, 5, 7, 3};          // no such kind
  records[2] = {0, kind(1), 0, 0, 5, 7, 3};           // no name
  records[3] = {4096, kind(1), 0, 0, 5, 7, 3};        // name out of range
  records[4] = {2, kind(1), 0, 0, 5, 7, 3};           // name not written
  records[5] = {1, kind(1), 0, 0, UINT64_MAX, 7, 3};  // time out of range
  records[6] = {1, kind(1), 0, 0, 5, UINT64_MAX, 3};  // duration too
  records[7] = {1, kind(1), 200, 0, 5, 7, 3};         // too many extras
  records[8] = {1, kind(5), 0, 0, 5, 7, 3};           // job without its half
  records[9] = {1, kind(1), 0, 0, 6, 8, UINT64_MAX};
  records[10] = {1, kind(1), 7, 0, 5, 7, 3};  // extras not written
  slot(0).head = 11;
  Drain();
  ASSERT_EQ(sink_.spans.size(), 2u);
  EXPECT_EQ(sink_.spans[0].event.start_ns, 5);
  EXPECT_EQ(sink_.spans[0].event.cpu_ns, 3);
  EXPECT_EQ(sink_.spans[1].event.start_ns, 6);
  EXPECT_FALSE(sink_.spans[1].event.cpu_ns.has_value());
  EXPECT_EQ(Account().invalid, 9u);
}

TEST_F(ScribbledRegionTest, TextIsMadePrintable) {
  SetName(1,
          "a\x01\xFF\xC3\xA4\xED\xA0\x80"
          "b");
  SetName(2, "ok");
  Record* records = ring(0);
  records[0] = {1, client::RecordKind::kSpan, 0, 0, 1, 1, 1};
  records[1] = {2, client::RecordKind::kSpan, 1, 0, 1, 1, 1};
  memcpy(static_cast<void*>(&records[2]), "k=\x1B[0m\nl=\x80\0", 11);
  slot(0).head = 3;
  Drain();
  ASSERT_EQ(sink_.spans.size(), 2u);
  EXPECT_EQ(sink_.spans[0].name, "a??\xC3\xA4???b");
  EXPECT_EQ(sink_.spans[1].meta, "k=?[0m\nl=?");
}

TEST_F(ScribbledRegionTest, RandomScribblingNeverHurtsTheCollector) {
  std::mt19937_64 random(1);
  SetName(1, "good");
  uint64_t delivered = 0;
  for (int round = 0; round < 300; ++round) {
    for (size_t i = 0; i < shape_.ring_records(); ++i) {
      uint64_t words[4] = {random(), random(), random(), random()};
      if (random() % 2 == 0) {
        words[0] = 1 | (random() % 6) << 32 | (random() % 9) << 40;
        words[1] %= 1000;
        words[2] %= 1000;
      }
      memcpy(static_cast<void*>(&ring(0)[i]), words, sizeof(words));
    }
    slot(0).head = slot(0).head + random() % 140;
    slot(0).tail = random();
    slot(0).open_depth = static_cast<uint32_t>(random());
    slot(0).open[random() % 15].name = static_cast<uint32_t>(random());
    Drain();
    delivered = Account().delivered;
  }
  EXPECT_GT(delivered, 0u);
  EXPECT_EQ(collector_->client_count(), 1u);
}

TEST_F(HostileClientTest, TwoCollectorsCannotShareASocket) {
  RingCollectorOptions options;
  options.socket_path = socket_path_;
  const auto second = RingCollector::Create(options);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
  EXPECT_THAT(second.error().message, HasSubstr(socket_path_));
}

TEST_F(HostileClientTest, SocketOfADeadCollectorIsReplaced) {
  collector_.reset();
  // Bound, but nobody listens any more: what kill -9 leaves.
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, socket_path_.c_str());
  {
    const UniqueFd dead(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    ASSERT_EQ(bind(dead.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof(address)),
              0);
  }
  StartCollector();
  ASSERT_NE(collector_, nullptr);
  EXPECT_TRUE(Connect().valid());
}

TEST_F(HostileClientTest, BadSocketPathsAreRefusedInWords) {
  RingCollectorOptions options;
  options.socket_path = directory_ + "/" + std::string(120, 'x');
  EXPECT_EQ(RingCollector::Create(options).error().code, ErrorCode::kInvalid);
  options.socket_path = directory_ + "/missing/socket";
  EXPECT_EQ(RingCollector::Create(options).error().code, ErrorCode::kNotFound);
  options.socket_path = directory_;
  EXPECT_THAT(RingCollector::Create(options).error().message,
              HasSubstr("not a socket"));
}

}  // namespace
}  // namespace edgewise
