// edgewise::Knob, a part of edgewise.hpp.
#ifndef EDGEWISE_KNOB_HPP_
#define EDGEWISE_KNOB_HPP_

#include <limits>
#include <type_traits>

#include "edgewise/edgewise.h"

namespace edgewise {

// A value that the agent of this node may set within a range, to keep what the
// app has promised; the one given here otherwise. Reading it costs a few
// nanoseconds and never blocks. All Knobs of one name are one, with the range
// of the first. For numbers and bool.
template <typename T>
class Knob {
  static_assert(std::is_arithmetic_v<T>);

 public:
  explicit Knob(const char* name, T preset,
                T least = std::numeric_limits<T>::lowest(),
                T most = std::numeric_limits<T>::max())
      : preset_(preset),
        knob_(edgewise_knob_declare(name, static_cast<double>(preset),
                                    static_cast<double>(least),
                                    static_cast<double>(most))) {}

  T Get() const {
    if (knob_ == 0) {
      return preset_;
    }
    const double value = edgewise_knob_value(knob_);
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, bool>) {
      return value != 0;
    } else {
      // The largest integers are no doubles.
      return value >= static_cast<double>(std::numeric_limits<T>::max())
                 ? std::numeric_limits<T>::max()
                 : static_cast<T>(value);
    }
  }
  operator T() const { return Get(); }

 private:
  T preset_;
  edgewise_knob knob_;
};

}  // namespace edgewise

#endif  // EDGEWISE_KNOB_HPP_
