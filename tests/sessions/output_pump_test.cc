#include "sessions/output_pump.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>
#include <thread>

namespace edgewise {
namespace {

void WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), text.size());
    ASSERT_GT(put, 0);
    text.remove_prefix(static_cast<size_t>(put));
  }
}

TEST(TailTest, KeepsTheEndInOrder) {
  Tail tail(5);
  tail.Append("abc", 3);
  EXPECT_EQ(tail.Text(), "abc");
  tail.Append("def", 3);
  EXPECT_EQ(tail.Text(), "bcdef");
  tail.Append("g", 1);
  EXPECT_EQ(tail.Text(), "cdefg");
  tail.Append("0123456789", 10);
  EXPECT_EQ(tail.Text(), "56789");
  tail.Append("ab", 2);
  EXPECT_EQ(tail.Text(), "789ab");
  EXPECT_EQ(tail.total_bytes(), 19);
}

TEST(OutputPumpTest, KeepsWhatBothStreamsSay) {
  OutputPump pump(false);
  ASSERT_TRUE(pump.Start().ok());
  WriteAll(pump.stdout_fd(), "out");
  WriteAll(pump.stderr_fd(), "err");
  pump.Finish();
  EXPECT_EQ(pump.tail().total_bytes(), 6);
  EXPECT_NE(pump.tail().Text().find("out"), std::string::npos);
  EXPECT_NE(pump.tail().Text().find("err"), std::string::npos);
}

TEST(OutputPumpTest, MuchOutputIsCountedAndItsEndKept) {
  OutputPump pump(false);
  ASSERT_TRUE(pump.Start().ok());
  const std::string line(1000, 'x');
  for (int i = 0; i < 10000; ++i) {
    WriteAll(pump.stdout_fd(), line);
  }
  WriteAll(pump.stdout_fd(), "the end");
  pump.Finish();
  EXPECT_EQ(pump.tail().total_bytes(), 10'000'007);
  EXPECT_TRUE(pump.tail().Text().ends_with("the end"));
  EXPECT_EQ(pump.tail().Text().size(), 65536u);
}

TEST(OutputPumpTest, FinishDoesNotWaitForADescendantThatHoldsThePipe) {
  OutputPump pump(false);
  ASSERT_TRUE(pump.Start().ok());
  const UniqueFd held(::dup(pump.stdout_fd()));
  WriteAll(held.get(), "before");
  pump.Finish();  // would hang here
  EXPECT_EQ(pump.tail().Text(), "before");
}

TEST(OutputPumpTest, AReaderThatHasGoneClosesTheProgramsPipe) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const UniqueFd saved(::dup(STDOUT_FILENO));
  ASSERT_GE(::dup2(ends[1], STDOUT_FILENO), 0);
  ::close(ends[0]);
  ::close(ends[1]);
  OutputPump pump(true);
  ASSERT_TRUE(pump.Start().ok());
  const std::string text(1000, 'x');
  ssize_t put = 0;
  for (int i = 0; i < 100'000 && put >= 0; ++i) {
    put = ::write(pump.stdout_fd(), text.data(), text.size());
  }
  const int error = errno;
  ::dup2(saved.get(), STDOUT_FILENO);
  EXPECT_LT(put, 0);
  EXPECT_EQ(error, EPIPE);
  pump.Finish();
}

}  // namespace
}  // namespace edgewise
