#include "report/interval_text.h"

#include <fmt/format.h>

#include "base/units.h"
#include "report/figures.h"

namespace edgewise {

std::string MsText(std::optional<double> ns) {
  return ns ? Figure(*ns / 1e6) : std::string(kUnknown);
}

std::string MsWithInterval(const std::optional<stats::Estimate>& ns, double p) {
  if (!ns) {
    return std::string(kUnknown);
  }
  return MsText(ns->value) +
         (ns->sufficient()
              ? fmt::format(" [{}–{}]", MsText(ns->low), MsText(ns->high))
              : " [needs " + FormatCount(stats::SmallestSampleForInterval(p)) +
                    "]");
}

}  // namespace edgewise
