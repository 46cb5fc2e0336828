#include "onnx/peak_memory.h"

#include <algorithm>

#include "onnx/node_cost.h"

namespace edgewise::onnx {
namespace {

// A piece of memory, known by the value it was made for.
struct Lifetime {
  double bytes = 0;
  size_t last_use = 0;
};

// Steps are nodes from 1 on; 0 is before the first.
class Liveness {
 public:
  Liveness(const Model& model, const GraphFacts& facts)
      : model_(model), facts_(facts), freed_(model.nodes.size() + 2) {}

  double Peak() {
    const size_t end = model_.nodes.size() + 1;
    for (const ValueInfo& input : model_.inputs) {
      Make(input.name, 0);
    }
    for (size_t step = 1; step < end; ++step) {
      const Node& node = model_.nodes[step - 1];
      for (const std::string_view name : node.inputs) {
        Use(name, step);
      }
      const bool view = CostOf(node, facts_).view;
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        if (view && i == 0 && !node.inputs.empty()) {
          owner_[node.outputs[i]] = OwnerOf(node.inputs[0]);
        } else {
          Make(node.outputs[i], step);
        }
      }
    }
    for (const ValueInfo& output : model_.outputs) {
      Use(output.name, end);
    }
    return Sweep(end);
  }

 private:
  std::string_view OwnerOf(std::string_view name) const {
    const auto found = owner_.find(name);
    return found == owner_.end() ? name : found->second;
  }

  void Make(std::string_view name, size_t step) {
    const ValueFacts* facts = name.empty() ? nullptr : FactsFor(facts_, name);
    if (facts == nullptr || facts->constant || lives_.contains(name)) {
      return;
    }
    lives_[name] = {facts->bytes().value_or(0), step};
    made_.emplace_back(step, name);
  }

  void Use(std::string_view name, size_t step) {
    const auto found = lives_.find(OwnerOf(name));
    if (found != lives_.end()) {
      found->second.last_use = step;
    }
  }

  double Sweep(size_t end) {
    for (const auto& [name, life] : lives_) {
      freed_[std::min(life.last_use, end)] += life.bytes;
    }
    double alive = 0;
    double peak = 0;
    size_t next = 0;
    for (size_t step = 0; step <= end; ++step) {
      for (; next < made_.size() && made_[next].first == step; ++next) {
        alive += lives_[made_[next].second].bytes;
      }
      peak = std::max(peak, alive);
      alive -= freed_[step];
    }
    return peak;
  }

  const Model& model_;
  const GraphFacts& facts_;
  std::unordered_map<std::string_view, Lifetime> lives_;
  std::unordered_map<std::string_view, std::string_view> owner_;
  std::vector<std::pair<size_t, std::string_view>> made_;
  std::vector<double> freed_;
};

}  // namespace

double PeakActivationBytes(const Model& model, const GraphFacts& facts) {
  return Liveness(model, facts).Peak();
}

}  // namespace edgewise::onnx
