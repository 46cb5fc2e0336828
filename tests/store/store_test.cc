#include "store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>

#include "store/temp_home.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Ids(const Result<std::vector<edgewise::Run>>& runs) {
  std::vector<std::string> ids;
  for (const edgewise::Run& run : *runs) {
    ids.push_back(run.id);
  }
  return ids;
}

class StoreTest : public ::testing::Test {
 protected:
  TempHome home_;
  Store store_ = home_.Open();
};

TEST_F(StoreTest, IdsAreTwelveHexDigitsAndDiffer) {
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = NewRunId();
    EXPECT_EQ(id.size(), 12U);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1000U);
}

TEST_F(StoreTest, ANewFolderAndItsFileAreTheOwnersAlone) {
  const auto inner = home_.path() / "deep" / "home";
  ASSERT_TRUE(Store::Open(inner));
  struct stat info {};
  ASSERT_EQ(stat(inner.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
  ASSERT_EQ(stat((inner / "edgewise.db").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(StoreTest, ARunIsThereFromItsBeginning) {
  auto writer = store_.Begin(NewRun("aaaaaaaaaaaa"));
  ASSERT_TRUE(writer);
  const auto run = store_.Find("last");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->state, RunState::kRunning);
  EXPECT_EQ(run->id, "aaaaaaaaaaaa");
}

TEST_F(StoreTest, WhatWasWrittenCanBeReadByAnotherStore) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  auto writer = store_.Begin(run);
  ASSERT_TRUE(writer);
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  const int64_t load = writer->SeriesId(SeriesKind::kSystem, "load", "percent");
  const int64_t audio = writer->SeriesId(SeriesKind::kJob, "audio", "");
  EXPECT_EQ(writer->SeriesId(SeriesKind::kSpan, "frame", ""), frames);
  std::vector<Span> spans = RegularSpans(20'000);
  spans[3].meta = writer->MetaId("src=camera");
  EXPECT_EQ(writer->MetaId("src=camera"), spans[3].meta);
  EXPECT_EQ(writer->MetaId(""), 0U);
  writer->AddSpans(frames, spans);
  writer->AddPoint(load, {5, 12.5});
  const Job job{1, 2, 3, 4, 5, 6};
  writer->AddJobs(audio, {&job, 1});
  ASSERT_TRUE(writer->Flush());
  writer->AddPoint(load, {6, 13.5});
  run.state = RunState::kDone;
  run.exit_code = 3;
  ASSERT_TRUE(writer->Finish(run));

  Store other = home_.Open();
  const auto found = other.Find("aaaaaaaaaaaa");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->state, RunState::kDone);
  EXPECT_EQ(found->exit_code, 3);
  const auto series = other.SeriesOf("aaaaaaaaaaaa");
  ASSERT_TRUE(series);
  ASSERT_EQ(series->size(), 3U);
  EXPECT_EQ((*series)[0].id, frames);
  EXPECT_EQ((*series)[0].name, "frame");
  EXPECT_EQ((*series)[0].count, 20'000);
  EXPECT_EQ((*series)[1].unit, "percent");
  EXPECT_EQ((*series)[1].count, 2);
  const auto read = other.Spans(frames);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 20'000U);
  EXPECT_EQ((*read)[19'999].start_ns, spans[19'999].start_ns);
  EXPECT_EQ(*other.MetaText("aaaaaaaaaaaa", (*read)[3].meta), "src=camera");
  EXPECT_EQ(*other.MetaText("aaaaaaaaaaaa", 999), "");
  const auto points = other.Points(load);
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 2U);
  EXPECT_DOUBLE_EQ((*points)[1].value, 13.5);
  const auto jobs = other.Jobs(audio);
  ASSERT_TRUE(jobs);
  EXPECT_EQ(jobs->front().deadline_ns, 4);
  size_t streamed = 0;
  ASSERT_TRUE(other.ReadSpans(
      frames, [&](std::span<const Span> part) { streamed += part.size(); }));
  EXPECT_EQ(streamed, 20'000U);
}

TEST_F(StoreTest, ListIsLastStoredFirstAndFilters) {
  edgewise::Run a = NewRun("aaaaaaaaaaaa", 10);
  a.label = "nightly";
  edgewise::Run b = NewRun("bbbbbbbbbbbb", 30);
  b.group = "g1";
  edgewise::Run c = NewRun("cccccccccccc", 20);
  c.command = {"/opt/other", "100%"};
  for (const edgewise::Run& run : {a, b, c}) {
    StoreRun(store_, run);
  }
  EXPECT_THAT(Ids(store_.List({})),
              ElementsAre("cccccccccccc", "bbbbbbbbbbbb", "aaaaaaaaaaaa"));
  EXPECT_THAT(Ids(store_.List({.limit = 1})), ElementsAre("cccccccccccc"));
  EXPECT_THAT(Ids(store_.List({.label = "nightly"})),
              ElementsAre("aaaaaaaaaaaa"));
  EXPECT_THAT(Ids(store_.List({.command_has = "100%"})),
              ElementsAre("cccccccccccc"));
  EXPECT_THAT(Ids(store_.List({.group = "g1"})), ElementsAre("bbbbbbbbbbbb"));
}

TEST_F(StoreTest, LastIsTheLastStoredHoweverOldItsData) {
  for (const auto& [id, started_utc_ns] :
       {std::pair{"aaaaaaaaaaaa", 20}, std::pair{"bbbbbbbbbbbb", 10}}) {
    edgewise::Run run = NewRun(id, started_utc_ns);
    run.label = "camera";
    StoreRun(store_, run);
  }
  EXPECT_EQ(store_.Find("last")->id, "bbbbbbbbbbbb");
  EXPECT_EQ(store_.Find("last~1")->id, "aaaaaaaaaaaa");
  EXPECT_EQ(store_.Find("camera")->id, "bbbbbbbbbbbb");
  EXPECT_THAT(Ids(store_.List({})),
              ElementsAre("bbbbbbbbbbbb", "aaaaaaaaaaaa"));
}

TEST_F(StoreTest, FindKnowsLastPrefixesAndLabels) {
  edgewise::Run old = NewRun("abcdef000001", 10);
  old.label = "base";
  edgewise::Run middle = NewRun("abcfff000002", 20);
  middle.label = "base";
  edgewise::Run newest = NewRun("123456789abc", 30);
  for (const edgewise::Run& run : {old, middle, newest}) {
    StoreRun(store_, run);
  }
  EXPECT_EQ(store_.Find("last")->id, "123456789abc");
  EXPECT_EQ(store_.Find("last~2")->id, "abcdef000001");
  EXPECT_EQ(store_.Find("abcd")->id, "abcdef000001");
  EXPECT_EQ(store_.Find("123456789abc")->id, "123456789abc");
  EXPECT_EQ(store_.Find("base")->id, "abcfff000002");
}

TEST_F(StoreTest, AnAmbiguousPrefixNamesTheCandidates) {
  StoreRun(store_, NewRun("abcdef000001", 10));
  StoreRun(store_, NewRun("abcfff000002", 20));
  const auto run = store_.Find("abc");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(run.error().message, HasSubstr("abcdef000001"));
  EXPECT_THAT(run.error().message, HasSubstr("more digits"));
}

TEST_F(StoreTest, WhatIsNotThereIsNotFoundWithAHint) {
  EXPECT_THAT(store_.Find("last").error().message, HasSubstr("edgewise run"));
  StoreRun(store_, NewRun("abcdef000001"));
  for (const char* reference : {"ab", "ffff", "last~5", "last~-1", "last~x", "",
                                "nolabel", "abcdef0000011", "' OR 1=1 --"}) {
    const auto run = store_.Find(reference);
    ASSERT_FALSE(run) << reference;
    EXPECT_EQ(run.error().code, ErrorCode::kNotFound) << reference;
    EXPECT_THAT(run.error().message, HasSubstr("edgewise list"));
  }
}

TEST_F(StoreTest, TheSameIdTwiceIsAnError) {
  StoreRun(store_, NewRun("aaaaaaaaaaaa"));
  EXPECT_FALSE(store_.Begin(NewRun("aaaaaaaaaaaa")));
}

TEST_F(StoreTest, RemoveTakesEverythingOfTheRunAndNothingElse) {
  const edgewise::Run gone =
      StoreRun(store_, NewRun("aaaaaaaaaaaa"), RegularSpans(10));
  const edgewise::Run kept =
      StoreRun(store_, NewRun("bbbbbbbbbbbb"), RegularSpans(10));
  const int64_t gone_series = store_.SeriesOf(gone.id)->front().id;
  ASSERT_TRUE(store_.Remove(gone.id));
  EXPECT_FALSE(store_.Find(gone.id));
  EXPECT_TRUE(store_.Spans(gone_series)->empty());
  EXPECT_EQ(store_.Spans(store_.SeriesOf(kept.id)->front().id)->size(), 10U);
  EXPECT_EQ(store_.Remove(gone.id).error().code, ErrorCode::kNotFound);
}

TEST_F(StoreTest, ARunThatIsBeingWrittenIsNotRemoved) {
  auto writer = store_.Begin(NewRun("aaaaaaaaaaaa"));
  ASSERT_TRUE(writer);
  EXPECT_EQ(store_.Remove("aaaaaaaaaaaa").error().code, ErrorCode::kBusy);
}

TEST(DefaultHomeTest, FollowsTheEnvironment) {
  setenv("EDGEWISE_HOME", "/a/b", 1);
  EXPECT_EQ(DefaultHome(), "/a/b");
  unsetenv("EDGEWISE_HOME");
  setenv("XDG_DATA_HOME", "/x", 1);
  EXPECT_EQ(DefaultHome(), "/x/edgewise");
  setenv("XDG_DATA_HOME", "relative", 1);
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(DefaultHome(), "/home/me/.local/share/edgewise");
  unsetenv("XDG_DATA_HOME");
  EXPECT_EQ(DefaultHome(), "/home/me/.local/share/edgewise");
}

}  // namespace
}  // namespace edgewise
