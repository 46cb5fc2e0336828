#include "scheduling/checked.h"

namespace edgewise::scheduling {

Error TooLarge() {
  return {ErrorCode::kInvalid,
          "The times of these tasks do not fit 64-bit nanoseconds when they "
          "are added up; use shorter periods and deadlines."};
}

Error TooLong() {
  return {ErrorCode::kUnsupported,
          "The analysis found no answer within its limit of steps; choose "
          "periods that are multiples of one another, or lower the load "
          "below 100%."};
}

}  // namespace edgewise::scheduling
