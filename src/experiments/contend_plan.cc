#include "experiments/contend_plan.h"

#include <string>
#include <utility>

#include "stats/random.h"

namespace edgewise {
namespace {

constexpr size_t kBetweenBaselines = 3;
constexpr double kDialStep = 10;

void Shuffle(std::vector<Deployment>& plan, stats::Random& random) {
  for (size_t i = plan.size(); i > 1; --i) {
    std::swap(plan[i - 1], plan[random.Below(i)]);
  }
}

void Append(std::vector<Deployment>& plan, std::vector<Deployment> more) {
  for (Deployment& deployment : more) {
    plan.push_back(std::move(deployment));
  }
}

std::vector<Deployment> Alone(const std::vector<Actor>& apps, int repeat,
                              stats::Random& random) {
  std::vector<Deployment> round;
  for (const Actor& app : apps) {
    round.push_back({app, {}, repeat});
  }
  Shuffle(round, random);
  return round;
}

}  // namespace

std::vector<Deployment> PlanBaselines(const std::vector<Actor>& apps,
                                      int repeat, uint64_t seed) {
  stats::Random random(seed);
  std::vector<Deployment> plan;
  for (int i = 0; i < repeat; ++i) {
    Append(plan, Alone(apps, i, random));
  }
  return plan;
}

std::vector<Deployment> PlanAgainst(const Actor& subject,
                                    const std::vector<Actor>& neighbours,
                                    int repeat, uint64_t seed) {
  stats::Random random(seed);
  std::vector<Deployment> points;
  for (int i = 0; i < repeat; ++i) {
    std::vector<Deployment> round;
    for (const Actor& neighbour : neighbours) {
      round.push_back({subject, {neighbour}, i});
    }
    Shuffle(round, random);
    Append(points, std::move(round));
  }
  std::vector<Deployment> plan;
  int baselines = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    if (i % kBetweenBaselines == 0) {
      plan.push_back({subject, {}, baselines++});
    }
    plan.push_back(std::move(points[i]));
  }
  plan.push_back({subject, {}, baselines});
  return plan;
}

std::vector<Deployment> PlanPairs(const std::vector<Actor>& apps,
                                  const std::vector<Actor>& others, int repeat,
                                  uint64_t seed) {
  stats::Random random(seed);
  std::vector<Deployment> plan = Alone(apps, 0, random);
  for (int i = 0; i < repeat; ++i) {
    std::vector<Deployment> round;
    for (size_t a = 0; a < apps.size(); ++a) {
      for (size_t b = a; b < apps.size(); ++b) {
        // Who comes first also starts last: draw it.
        const bool swapped = random.Below(2) == 1;
        round.push_back({apps[swapped ? b : a], {apps[swapped ? a : b]}, i});
      }
      for (const Actor& other : others) {
        round.push_back({apps[a], {other}, i});
      }
    }
    Shuffle(round, random);
    Append(plan, std::move(round));
    Append(plan, Alone(apps, i + 1, random));
  }
  return plan;
}

std::vector<Deployment> PlanRandom(const std::vector<Actor>& apps,
                                   const std::vector<Actor>& others,
                                   const std::string& program,
                                   const std::vector<StressKind>& kinds,
                                   int count, uint64_t seed) {
  stats::Random random(seed);
  const size_t choices = apps.size() + others.size() + kinds.size();
  const auto draw_neighbour = [&]() -> Actor {
    const size_t choice = random.Below(choices);
    if (choice < apps.size()) {
      return apps[choice];
    }
    if (choice < apps.size() + others.size()) {
      return others[choice - apps.size()];
    }
    const StressKind kind = kinds[choice - apps.size() - others.size()];
    return StressActor(program, {kind, kDialStep * (1 + random.Below(10))});
  };
  std::vector<Deployment> plan;
  for (int i = 0; i < count; ++i) {
    if (i % static_cast<int>(kBetweenBaselines) == 0) {
      Append(plan,
             Alone(apps, i / static_cast<int>(kBetweenBaselines), random));
    }
    Deployment drawn{apps[random.Below(apps.size())], {}, i};
    const uint32_t neighbours = 1 + random.Below(2);
    for (uint32_t k = 0; k < neighbours; ++k) {
      drawn.beside.push_back(draw_neighbour());
    }
    plan.push_back(std::move(drawn));
  }
  Append(plan, Alone(apps, count, random));
  return plan;
}

}  // namespace edgewise
