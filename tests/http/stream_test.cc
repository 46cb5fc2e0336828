#include "http/stream.h"

#include <gtest/gtest.h>

namespace edgewise::http {
namespace {

std::string TakeAll(Stream& stream) {
  std::string all;
  char bytes[7];
  for (std::ptrdiff_t got = stream.Take(bytes, sizeof bytes); got > 0;
       got = stream.Take(bytes, sizeof bytes)) {
    all.append(bytes, static_cast<size_t>(got));
  }
  return all;
}

TEST(StreamTest, WhatIsWrittenIsTakenInOrder) {
  Stream stream;
  EXPECT_TRUE(stream.Write("hello "));
  EXPECT_TRUE(stream.Write("world"));
  EXPECT_EQ(TakeAll(stream), "hello world");
}

TEST(StreamTest, EventsHaveALineOfDataForEachLine) {
  Stream stream;
  EXPECT_TRUE(stream.WriteEvent("log", "a\nb", "7"));
  EXPECT_TRUE(stream.WriteEvent("", "c"));
  EXPECT_EQ(TakeAll(stream),
            "id: 7\nevent: log\ndata: a\ndata: b\n\ndata: c\n\n");
}

TEST(StreamTest, EndsAfterWhatWasWritten) {
  Stream stream;
  EXPECT_TRUE(stream.Write("last"));
  stream.End();
  EXPECT_FALSE(stream.Write("too late"));
  EXPECT_EQ(TakeAll(stream), "last");
  char byte = 0;
  EXPECT_EQ(stream.Take(&byte, 1), Stream::kEnded);
}

TEST(StreamTest, SlowReaderEndsItInsteadOfGrowing) {
  Stream stream(10);
  EXPECT_TRUE(stream.Write("0123456789"));
  EXPECT_FALSE(stream.Write("x"));
  EXPECT_FALSE(stream.open());
  char byte = 0;
  EXPECT_EQ(stream.Take(&byte, 1), Stream::kEnded);
}

TEST(StreamTest, PausesWhereThereIsNothingAndWakesOnce) {
  Stream stream;
  int paused = 0;
  int woken = 0;
  stream.Attach([&] { ++paused; }, [&] { ++woken; });
  char bytes[8];
  EXPECT_EQ(stream.Take(bytes, sizeof bytes), 0);
  EXPECT_EQ(paused, 1);
  EXPECT_TRUE(stream.Write("a"));
  EXPECT_TRUE(stream.Write("b"));
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(stream.Take(bytes, sizeof bytes), 2);
  EXPECT_EQ(stream.Take(bytes, sizeof bytes), 0);
  stream.End();
  EXPECT_EQ(woken, 2);
}

TEST(StreamTest, NothingIsCalledOnceTheClientIsGone) {
  Stream stream;
  int woken = 0;
  stream.Attach([] {}, [&] { ++woken; });
  char byte = 0;
  EXPECT_EQ(stream.Take(&byte, 1), 0);
  stream.Detach();
  EXPECT_FALSE(stream.Write("x"));
  stream.End();
  EXPECT_EQ(woken, 0);
}

TEST(StreamTest, QuietStreamsGetASignOfLife) {
  Stream stream;
  EXPECT_TRUE(stream.Write("a"));
  stream.WriteIfQuietSince(0, ":");
  EXPECT_EQ(TakeAll(stream), "a");
  stream.WriteIfQuietSince(INT64_MAX, ":");
  EXPECT_EQ(TakeAll(stream), ":");
}

}  // namespace
}  // namespace edgewise::http
