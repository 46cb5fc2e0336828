#include "base/write_all.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "base/unique_fd.h"

namespace edgewise {
namespace {

TEST(WriteAllTest, MoreThanAPipeHoldsGoesThroughOneThatDoesNotBlock) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  UniqueFd in(ends[0]);
  UniqueFd out(ends[1]);
  ASSERT_EQ(::fcntl(out.get(), F_SETFL, O_NONBLOCK), 0);
  const std::string sent(1 << 20, 'x');
  std::string received;
  std::thread reader([&] {
    char buffer[4096];
    for (ssize_t size = 0;
         (size = ::read(in.get(), buffer, sizeof buffer)) > 0;) {
      received.append(buffer, static_cast<size_t>(size));
    }
  });
  EXPECT_EQ(WriteAll(out.get(), sent), 0);
  out.reset();
  reader.join();
  EXPECT_EQ(received, sent);
}

TEST(WriteAllTest, FailureSaysWhy) {
  EXPECT_EQ(WriteAll(-1, "x"), EBADF);
  const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full.valid());
  EXPECT_EQ(WriteAll(full.get(), "x"), ENOSPC);
}

}  // namespace
}  // namespace edgewise
