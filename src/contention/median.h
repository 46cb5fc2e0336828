// The middle of a few figures.
#ifndef EDGEWISE_CONTENTION_MEDIAN_H_
#define EDGEWISE_CONTENTION_MEDIAN_H_

#include <vector>

namespace edgewise::contention {

// The smallest figure with at least the share `part` of all at or below it;
// figures may be infinite. Not empty.
double AtPart(std::vector<double> figures, double part);
double Median(std::vector<double> figures);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_MEDIAN_H_
