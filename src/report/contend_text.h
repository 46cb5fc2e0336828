// A contention experiment as text, JSON, and HTML.
#ifndef EDGEWISE_REPORT_CONTEND_TEXT_H_
#define EDGEWISE_REPORT_CONTEND_TEXT_H_

#include <string>

#include "experiments/contend.h"
#include "report/table.h"

namespace edgewise {

std::string ContendText(const ContendReport& report, const TextStyle& style);
std::string ContendJson(const ContendReport& report);
// One file that opens without a network: advice, pictures, tables.
std::string ContendHtml(const ContendReport& report);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CONTEND_TEXT_H_
