#include "report/experiment_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::HasSubstr;
using testing::Not;

ExperimentPage Page(const std::string& text) {
  ExperimentPage page;
  page.title = page.subtitle = page.footer = text;
  page.facts = {{text, text}};
  page.advice = {text};
  PageSection section;
  section.heading = section.text = section.code = text;
  section.tables = {{{{text, true, false}, {text, false, false}},
                     {{{text, Tone::kGood}, {text, Tone::kPlain}}}}};
  page.sections = {section};
  return page;
}

TEST(ExperimentPageTest, ShowsAllItIsGiven) {
  const std::string html = ExperimentHtml(Page("words"));
  EXPECT_THAT(html, HasSubstr("<title>words</title>"));
  EXPECT_THAT(html, HasSubstr("<h1>words</h1>"));
  EXPECT_THAT(html, HasSubstr("<dt>words</dt><dd>words</dd>"));
  EXPECT_THAT(html, HasSubstr("<section class=\"advice\">\n<p>words</p>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number good\">words</td>"
                              "<td>words</td>"));
  EXPECT_THAT(html, HasSubstr("<pre>words</pre>"));
  EXPECT_THAT(html, HasSubstr("<footer>words</footer>"));
}

TEST(ExperimentPageTest, TextsCannotBecomeMarkup) {
  const std::string html =
      ExperimentHtml(Page("</style><script>alert('\"')</script>&"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("&lt;/style&gt;&lt;script&gt;"));
}

TEST(ExperimentPageTest, LoadsNothingAndRunsNothing) {
  const std::string html = ExperimentHtml(Page("words"));
  EXPECT_THAT(html, Not(HasSubstr("http:")));
  EXPECT_THAT(html, Not(HasSubstr("https:")));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

TEST(ExperimentPageTest, ChartsAreTakenAsTheyAre) {
  ExperimentPage page;
  page.sections.resize(1);
  page.sections[0].charts = {"<svg>picture</svg>"};
  EXPECT_THAT(ExperimentHtml(page), HasSubstr("<svg>picture</svg>"));
}

TEST(ExperimentPageTest, LinesOfCodeStayLines) {
  ExperimentPage page;
  page.sections.resize(1);
  page.sections[0].code = "a:\n  b: <c>\n";
  EXPECT_THAT(ExperimentHtml(page),
              HasSubstr("<pre>a:\n  b: &lt;c&gt;\n</pre>"));
}

TEST(ExperimentPageTest, WhatIsEmptyLeavesNoTrace) {
  const std::string html = ExperimentHtml({});
  for (const char* tag : {"<dl", "<section", "<footer", "<table", "<pre>"}) {
    EXPECT_THAT(html, Not(HasSubstr(tag)));
  }
}

TEST(ExperimentPageTest, ContentsLinkToSectionsButNotToTheirParts) {
  ExperimentPage page;
  page.sections = {{"First & last", "", {}, {}, ""},
                   {"detail", "", {}, {}, "", true}};
  EXPECT_THAT(ExperimentHtml(page), Not(HasSubstr("<nav>")));
  page.contents = true;
  const std::string html = ExperimentHtml(page);
  EXPECT_THAT(html, HasSubstr("<a href=\"#section-1\">First &amp; last</a>"));
  EXPECT_THAT(html, HasSubstr("<section id=\"section-1\">"));
  EXPECT_THAT(html, Not(HasSubstr("#section-2")));
  EXPECT_THAT(html, HasSubstr("class=\"part\">\n<h3>detail</h3>"));
}

TEST(ExperimentPageTest, PicturesAreWithinThePage) {
  EXPECT_EQ(ImageHtml("", "image/png", "a"),
            "<img alt=\"a\" src=\"data:image/png;base64,\">");
  EXPECT_THAT(
      ImageHtml("f", "image/png", "\"<"),
      HasSubstr("alt=\"&quot;&lt;\" src=\"data:image/png;base64,Zg==\""));
  EXPECT_THAT(ImageHtml("fo", "x", "a"), HasSubstr("base64,Zm8=\""));
  EXPECT_THAT(ImageHtml("foo", "x", "a"), HasSubstr("base64,Zm9v\""));
  EXPECT_THAT(ImageHtml("\xff\xfe\xfd", "x", "a"), HasSubstr("base64,//79\""));
}

}  // namespace
}  // namespace edgewise
