// `edgewise history` for a terminal, for programs and as a page.
#ifndef EDGEWISE_REPORT_HISTORY_TEXT_H_
#define EDGEWISE_REPORT_HISTORY_TEXT_H_

#include <string>
#include <vector>

#include "history/history.h"
#include "history/together.h"
#include "report/table.h"

namespace edgewise {

std::string HistoryText(const History& history, const TextStyle& style);
std::string HistoryJson(const History& history);
// One HTML file that opens without a network.
std::string HistoryHtml(const History& history);

// The apps that the store knows.
std::string KnownAppsText(const std::vector<KnownApp>& apps,
                          const TextStyle& style);
std::string KnownAppsJson(const std::vector<KnownApp>& apps);

std::string TogetherText(const Together& together, const TextStyle& style);
std::string TogetherJson(const Together& together);
std::string TogetherHtml(const Together& together);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_HISTORY_TEXT_H_
