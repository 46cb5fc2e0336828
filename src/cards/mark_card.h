// A mark on a card that an execution has spoken against.
#ifndef EDGEWISE_CARDS_MARK_CARD_H_
#define EDGEWISE_CARDS_MARK_CARD_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

// The card's text with the key `falsified` set to `what`, and else as it is,
// comments included. `origin` is the file's name, for errors: it must be a
// card.
Result<std::string> MarkFalsified(std::string_view yaml,
                                  std::string_view origin,
                                  std::string_view what);

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_MARK_CARD_H_
