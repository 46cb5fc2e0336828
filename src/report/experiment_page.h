// What an experiment found, as one HTML page without scripts: facts, advice,
// tables and charts. Light or dark as the reader's system is; fits a phone and
// paper.
#ifndef EDGEWISE_REPORT_EXPERIMENT_PAGE_H_
#define EDGEWISE_REPORT_EXPERIMENT_PAGE_H_

#include <string>
#include <utility>
#include <vector>

#include "report/table.h"

namespace edgewise {

struct PageSection {
  std::string heading;
  std::string text;  // a paragraph under the heading; empty: none
  std::vector<Table> tables;
  std::vector<std::string> charts;  // of DrawCurves or DrawChart: SVG as it is
  std::string code;                 // shown as it is, to be copied; empty: none
};

struct ExperimentPage {
  std::string title;
  std::string subtitle;  // the command, say; empty: none
  std::vector<std::pair<std::string, std::string>> facts;  // name, value
  // Whole sentences; the first is the answer.
  std::vector<std::string> advice;
  std::vector<PageSection> sections;
  std::string footer;  // where it comes from; empty: none
};

// The whole file. All texts may be of any origin; only charts are not escaped.
std::string ExperimentHtml(const ExperimentPage& page);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EXPERIMENT_PAGE_H_
