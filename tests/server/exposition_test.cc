#include "server/exposition.h"

#include <gtest/gtest.h>

#include <cmath>

namespace edgewise {
namespace {

TEST(ExpositionTest, WritesFamiliesWithTheirSamples) {
  Exposition exposition;
  exposition.Begin("a_total", "counter", "What\nit \"counts\".");
  exposition.Add({{"route", "/x"}, {"code", "200"}}, 3);
  exposition.Add({}, 0.5);
  exposition.AddOne("b", "gauge", "Now.", INFINITY);
  EXPECT_EQ(exposition.text(),
            "# HELP a_total What\\nit \"counts\".\n# TYPE a_total counter\n"
            "a_total{route=\"/x\",code=\"200\"} 3\na_total 0.5\n"
            "# HELP b Now.\n# TYPE b gauge\nb +Inf\n");
}

TEST(ExpositionTest, EscapesLabels) {
  Exposition exposition;
  exposition.Begin("a", "gauge", "A.");
  exposition.Add({{"name", "a\"b\\c\nd"}}, 1);
  EXPECT_NE(exposition.text().find("a{name=\"a\\\"b\\\\c\\nd\"} 1\n"),
            std::string::npos);
}

}  // namespace
}  // namespace edgewise
