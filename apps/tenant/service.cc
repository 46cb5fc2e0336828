#include "tenant/service.h"

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"

namespace edgewise::apps {

const std::vector<ServiceKind>& ServiceKinds() {
  static const std::vector<ServiceKind> all = {
      {"gcn", "graph convolutions on 1,000 nodes and 20,000 edges", MakeGcn},
      {"forest", "random forest of 500 trees on 96 samples", MakeForest},
      {"lstm", "LSTM of 2 layers of 50 over 128 steps", MakeLstm},
      {"gru-kalman", "Kalman filter with a GRU over 128 steps", MakeGruKalman},
      {"mobilenetv3", "picture of 96x96 into classes",
       [] { return MakeNetwork("mobilenetv3"); }},
      {"efficientnet", "picture of 96x96 into classes",
       [] { return MakeNetwork("efficientnet"); }},
      {"mobilevit", "picture of 96x96 into classes, with attention",
       [] { return MakeNetwork("mobilevit"); }},
      {"bert-small", "text of 32 tokens, 4 layers of 256",
       [] { return MakeNetwork("bert-small"); }},
      {"bert-tiny", "text of 48 tokens, 2 layers of 128",
       [] { return MakeNetwork("bert-tiny"); }},
  };
  return all;
}

std::vector<std::string> ServiceNames() {
  std::vector<std::string> names;
  for (const ServiceKind& kind : ServiceKinds()) {
    names.emplace_back(kind.name);
  }
  return names;
}

Result<const ServiceKind*> FindService(const std::string& name) {
  const auto& all = ServiceKinds();
  const auto found =
      std::find_if(all.begin(), all.end(),
                   [&](const ServiceKind& kind) { return name == kind.name; });
  if (found != all.end()) {
    return &*found;
  }
  const auto near = Nearest(name, ServiceNames());
  return Error{ErrorCode::kInvalid,
               "--service: there is no service \"" + name + "\"; " +
                   (near ? "did you mean " + *near + "?"
                         : "known: " + Join(ServiceNames(), ", "))};
}

}  // namespace edgewise::apps
