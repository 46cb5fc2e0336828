// Working out the numbers that exporters compute from shapes while a network
// runs: Shape, Gather, Concat, Cast and their like. Private to shape inference.
#ifndef EDGEWISE_ONNX_FOLD_VALUES_H_
#define EDGEWISE_ONNX_FOLD_VALUES_H_

#include "onnx/node_shapes.h"

namespace edgewise::onnx {

// Fills in the values of the first output where they follow from those of the
// inputs. Its shape must have been worked out.
void FoldValues(NodeShapes& shapes);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_FOLD_VALUES_H_
