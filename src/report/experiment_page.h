// What an experiment found, as one HTML page without scripts: facts, advice,
// tables and charts. Light or dark as the reader's system is; fits a phone and
// paper.
#ifndef EDGEWISE_REPORT_EXPERIMENT_PAGE_H_
#define EDGEWISE_REPORT_EXPERIMENT_PAGE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/table.h"

namespace edgewise {

struct PageSection {
  std::string heading;
  std::string text;  // a paragraph under the heading; empty: none
  std::vector<Table> tables;
  // SVG as it is, of DrawCurves or DrawChart; or an <img> of ImageHtml.
  std::vector<std::string> charts;
  std::string code;   // shown as it is, to be copied; empty: none
  bool part = false;  // of the section before: a smaller heading
};

struct ExperimentPage {
  std::string title;
  std::string subtitle;  // the command, say; empty: none
  std::vector<std::pair<std::string, std::string>> facts;  // name, value
  // Whole sentences; the first is the answer.
  std::vector<std::string> advice;
  std::vector<PageSection> sections;
  bool contents = false;  // links to all sections on top; parts have none
  std::string footer;     // where it comes from; empty: none
};

// The whole file. All texts may be of any origin; only charts are not escaped.
std::string ExperimentHtml(const ExperimentPage& page);

// A picture of any origin within the page; `media_type` such as "image/png".
// Nothing in it is run.
std::string ImageHtml(std::string_view bytes, std::string_view media_type,
                      std::string_view name);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EXPERIMENT_PAGE_H_
