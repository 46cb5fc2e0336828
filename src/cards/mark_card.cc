#include "cards/mark_card.h"

#include "base/text.h"
#include "base/yaml_scalar.h"
#include "cards/card.h"

namespace edgewise {

Result<std::string> MarkFalsified(std::string_view yaml,
                                  std::string_view origin,
                                  std::string_view what) {
  auto card = ReadCard(yaml, origin);
  if (!card) {
    return card.error();
  }
  const std::string mark = "falsified: " + YamlScalar(what) + "\n";
  std::string marked;
  bool replaced = false;
  for (const std::string_view line : Split(yaml, '\n')) {
    const bool old = line.starts_with("falsified:");
    marked += old && !replaced ? mark : old ? "" : std::string(line) + "\n";
    replaced = replaced || old;
  }
  // Splitting sees one more, empty, line at the end.
  if (yaml.empty() || yaml.back() == '\n') {
    marked.pop_back();
  }
  marked += replaced ? "" : mark;
  // A value over several lines, or a card in braces: written anew.
  const auto again = ReadCard(marked, origin);
  if (!again || again->falsified != what) {
    card->falsified = what;
    return WriteCard(*card);
  }
  return marked;
}

}  // namespace edgewise
