// What a network's layers cost, in units of work that a device's rates turn
// into time: multiply-accumulates by the kernel that does them, bytes moved by
// the way they move, layers started.
//
// Each layer adds to a few terms and every addition is at least 0, so with
// positive rates more work of a kind never makes a network faster.
#ifndef EDGEWISE_PREDICTION_COST_TERMS_H_
#define EDGEWISE_PREDICTION_COST_TERMS_H_

#include <array>
#include <string_view>

#include "prediction/network.h"

namespace edgewise {

// Millions of MACs, megabytes, or layers, as the name says.
enum class CostTerm {
  kLayers,          // layers that do something
  kPointwiseMacs,   // 1x1 convolutions
  kWinogradMacs,    // 3x3 stride 1, multiplications of the cheapest tiling
  kWinogradBytes,   // their tiles, transformed there and back
  kDirectMacs,      // other convolutions
  kFirstMacs,       // convolutions of up to 4 channels
  kUnpackedMacs,    // channels or rows that do not fill a vector
  kDepthwiseMacs,   //
  kDepthwise5Macs,  // kernels of 5 and more, on top of the former
  kInputBytes,      // read by convolutions
  kOutputBytes,     // written by convolutions
  kWeightBytes,     // of convolutions, in the form they are read
  kDenseBytes,      // weights of fully connected layers: each is read once
  kElementBytes,    // read and written by everything else
  kFunctionBytes,   // written by exp, tanh and their like
  kInt8PointwiseMacs,
  kInt8WinogradMacs,
  kInt8Direct3Macs,  // the same layers as they cost without Winograd
  kInt8DirectMacs,
  kInt8UnpackedMacs,
  kInt8DepthwiseMacs,
  kInt8Depthwise5Macs,
  kInt8ActivationBytes,
  kInt8WeightBytes,
  kInt8DenseBytes,
};
inline constexpr size_t kCostTerms = 25;

using CostVector = std::array<double, kCostTerms>;

// The name in model files.
std::string_view CostTermName(CostTerm term);
// Where fitting starts, and what it stays near without evidence: the log of
// the term's usual time per unit relative to the others.
double CostTermPrior(CostTerm term);

CostVector CostsOf(const Layer& layer);
CostVector CostsOf(const Network& network);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_COST_TERMS_H_
