#include "cards/card.h"

namespace edgewise {

std::string_view WcetKindName(WcetKind kind) {
  switch (kind) {
    case WcetKind::kObservedMax:
      return "observed_max";
    case WcetKind::kQuantileBound:
      return "quantile_bound";
    case WcetKind::kPwcet:
      return "pwcet";
    case WcetKind::kUnstated:
      break;
  }
  return "";
}

}  // namespace edgewise
