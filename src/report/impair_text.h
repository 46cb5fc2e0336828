// What an impaired path did, as text and as JSON.
#ifndef EDGEWISE_REPORT_IMPAIR_TEXT_H_
#define EDGEWISE_REPORT_IMPAIR_TEXT_H_

#include <string>

#include "impair/path.h"
#include "report/table.h"

namespace edgewise {

std::string ImpairText(const ProxyCounts& counts, ImpairMeans means,
                       const TextStyle& style);
// An object without a line feed; added delays are null with netem.
std::string ImpairJson(const ProxyCounts& counts, ImpairMeans means);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_IMPAIR_TEXT_H_
