#include "symbols/expression.h"

#include <dwarf.h>

#include <utility>
#include <vector>

#include "symbols/byte_cursor.h"

namespace edgewise::symbols {
namespace {

// Far more than unwind tables need; keeps loops from lasting.
constexpr int kMaxOperations = 1000;
constexpr size_t kMaxDepth = 64;

class Evaluation {
 public:
  Evaluation(std::string_view code, const Registers& registers,
             StackCopy& memory)
      : code_(code), cursor_(code), registers_(registers), memory_(memory) {}

  std::optional<uint64_t> Run(std::optional<uint64_t> first) {
    if (first) {
      stack_.push_back(*first);
    }
    for (int i = 0; !cursor_.done(); ++i) {
      const auto operation = cursor_.Get<uint8_t>();
      if (i >= kMaxOperations || !Step(operation) || !cursor_.ok() ||
          stack_.size() > kMaxDepth) {
        return std::nullopt;
      }
    }
    if (!cursor_.ok() || stack_.empty()) {
      return std::nullopt;
    }
    return stack_.back();
  }

 private:
  bool Push(uint64_t value) {
    stack_.push_back(value);
    return true;
  }
  bool PushSigned(int64_t value) { return Push(static_cast<uint64_t>(value)); }
  bool PushRegister(uint64_t number, int64_t offset) {
    const auto value = registers_.Get(number);
    return value && Push(*value + static_cast<uint64_t>(offset));
  }
  bool PushCopy(size_t depth) {
    return depth < stack_.size() && Push(stack_[stack_.size() - 1 - depth]);
  }

  bool Step(uint8_t op) {
    if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
      return Push(op - uint64_t{DW_OP_lit0});
    }
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
      return PushRegister(op - uint64_t{DW_OP_breg0}, cursor_.Sleb());
    }
    switch (op) {
      case DW_OP_nop:
        return true;
      case DW_OP_const1u:
        return Push(cursor_.Get<uint8_t>());
      case DW_OP_const1s:
        return PushSigned(cursor_.Get<int8_t>());
      case DW_OP_const2u:
        return Push(cursor_.Get<uint16_t>());
      case DW_OP_const2s:
        return PushSigned(cursor_.Get<int16_t>());
      case DW_OP_const4u:
        return Push(cursor_.Get<uint32_t>());
      case DW_OP_const4s:
        return PushSigned(cursor_.Get<int32_t>());
      case DW_OP_const8u:
      case DW_OP_const8s:
        return Push(cursor_.Get<uint64_t>());
      case DW_OP_constu:
        return Push(cursor_.Uleb());
      case DW_OP_consts:
        return PushSigned(cursor_.Sleb());
      case DW_OP_bregx: {
        const uint64_t number = cursor_.Uleb();
        return PushRegister(number, cursor_.Sleb());
      }
      case DW_OP_dup:
        return PushCopy(0);
      case DW_OP_over:
        return PushCopy(1);
      case DW_OP_pick:
        return PushCopy(cursor_.Get<uint8_t>());
      case DW_OP_skip:
        return Jump(cursor_.Get<int16_t>());
      default:
        return !stack_.empty() && StepOnTop(op);
    }
  }

  // Operations that take one value or more.
  bool StepOnTop(uint8_t op) {
    uint64_t& top = stack_.back();
    switch (op) {
      case DW_OP_drop:
        stack_.pop_back();
        return true;
      case DW_OP_deref: {
        const auto value = memory_.Read(top);
        top = value.value_or(0);
        return value.has_value();
      }
      case DW_OP_neg:
        top = 0 - top;
        return true;
      case DW_OP_not:
        top = ~top;
        return true;
      case DW_OP_abs:
        top = static_cast<int64_t>(top) < 0 ? 0 - top : top;
        return true;
      case DW_OP_plus_uconst:
        top += cursor_.Uleb();
        return true;
      case DW_OP_bra: {
        const auto distance = cursor_.Get<int16_t>();
        const bool taken = top != 0;
        stack_.pop_back();
        return !taken || Jump(distance);
      }
      default:
        return stack_.size() >= 2 && StepOnTwo(op);
    }
  }

  bool StepOnTwo(uint8_t op) {
    const uint64_t right = stack_.back();
    uint64_t& left = stack_[stack_.size() - 2];
    if (op == DW_OP_swap) {
      std::swap(stack_.back(), left);
      return true;
    }
    const std::optional<uint64_t> value = Combine(op, left, right);
    if (!value) {
      return false;
    }
    left = *value;
    stack_.pop_back();
    return true;
  }

  static std::optional<uint64_t> Combine(uint8_t op, uint64_t left,
                                         uint64_t right) {
    const auto signed_left = static_cast<int64_t>(left);
    const auto signed_right = static_cast<int64_t>(right);
    switch (op) {
      case DW_OP_and:
        return left & right;
      case DW_OP_or:
        return left | right;
      case DW_OP_xor:
        return left ^ right;
      case DW_OP_plus:
        return left + right;
      case DW_OP_minus:
        return left - right;
      case DW_OP_mul:
        return left * right;
      case DW_OP_shl:
        return right < 64 ? left << right : 0;
      case DW_OP_shr:
        return right < 64 ? left >> right : 0;
      case DW_OP_shra:
        return static_cast<uint64_t>(signed_left >> (right < 64 ? right : 63));
      case DW_OP_eq:
        return left == right ? 1 : 0;
      case DW_OP_ne:
        return left != right ? 1 : 0;
      case DW_OP_ge:
        return signed_left >= signed_right ? 1 : 0;
      case DW_OP_gt:
        return signed_left > signed_right ? 1 : 0;
      case DW_OP_le:
        return signed_left <= signed_right ? 1 : 0;
      case DW_OP_lt:
        return signed_left < signed_right ? 1 : 0;
      default:
        return std::nullopt;
    }
  }

  bool Jump(int16_t distance) {
    const int64_t target = static_cast<int64_t>(cursor_.at()) + distance;
    if (target < 0 || target > static_cast<int64_t>(code_.size())) {
      return false;
    }
    cursor_ = ByteCursor(code_, static_cast<size_t>(target));
    return true;
  }

  std::string_view code_;
  ByteCursor cursor_;
  const Registers& registers_;
  StackCopy& memory_;
  std::vector<uint64_t> stack_;
};

}  // namespace

std::optional<uint64_t> Evaluate(std::string_view code,
                                 const Registers& registers, StackCopy& memory,
                                 std::optional<uint64_t> first) {
  return Evaluation(code, registers, memory).Run(first);
}

}  // namespace edgewise::symbols
