#include "symbols/cfa_program.h"

#include <dwarf.h>

#include <array>
#include <vector>

#include "symbols/byte_cursor.h"
#include "symbols/registers.h"

namespace edgewise::symbols {
namespace {

using Kind = UnwindRule::Kind;

constexpr size_t kMaxRemembered = 64;

class Machine {
 public:
  explicit Machine(const CfaProgram& program)
      : program_(program), location_(program.start_va) {}

  bool RunInitial() {
    if (!Run(program_.initial, UINT64_MAX)) {
      return false;
    }
    initial_ = state_;
    return true;
  }
  bool RunTo(uint64_t va) { return Run(program_.instructions, va); }

  UnwindRow Row() const {
    UnwindRow row;
    row.cfa = state_.cfa;
    row.return_register = program_.return_register;
    row.signal_frame = program_.signal_frame;
    for (size_t i = 0; i < state_.rules.size(); ++i) {
      if (state_.rules[i].kind != Kind::kSame) {
        row.registers.push_back({static_cast<uint16_t>(i), state_.rules[i]});
      }
    }
    return row;
  }

 private:
  struct State {
    UnwindRule cfa;
    std::array<UnwindRule, kRegisters> rules;
  };

  // Until the first row that begins beyond `va`, or the end.
  bool Run(std::string_view code, uint64_t va) {
    ByteCursor cursor(code);
    while (!cursor.done()) {
      const auto byte = cursor.Get<uint8_t>();
      if (!Step(byte, cursor)) {
        return false;
      }
      if (location_ > va) {
        return true;
      }
    }
    return cursor.ok();
  }

  void Advance(uint64_t units) { location_ += units * program_.code_alignment; }
  int64_t Factored(uint64_t value) const {
    return static_cast<int64_t>(value *
                                static_cast<uint64_t>(program_.data_alignment));
  }
  // Rules of registers that we do not follow (vectors, flags) are dropped.
  void SetRule(uint64_t number, const UnwindRule& rule) {
    if (number < kRegisters) {
      state_.rules[number] = rule;
    }
  }
  void Restore(uint64_t number) {
    if (number < kRegisters) {
      state_.rules[number] = initial_.rules[number];
    }
  }
  void SetCfa(uint64_t number, int64_t offset) {
    state_.cfa = {Kind::kRegister, static_cast<uint16_t>(number), offset, {}};
  }

  bool Step(uint8_t byte, ByteCursor& cursor) {
    const uint64_t low = byte & 0x3f;
    switch (byte & 0xc0) {
      case DW_CFA_advance_loc:
        Advance(low);
        return true;
      case DW_CFA_offset:
        SetRule(low, {Kind::kAtCfa, 0, Factored(cursor.Uleb()), {}});
        return cursor.ok();
      case DW_CFA_restore:
        Restore(low);
        return true;
      default:
        return StepExtended(byte, cursor) && cursor.ok();
    }
  }

  bool StepExtended(uint8_t operation, ByteCursor& cursor) {
    switch (operation) {
      case DW_CFA_nop:
      // Whether return addresses are signed (aarch64; elsewhere a register
      // window): they are stripped in any case.
      case DW_CFA_GNU_window_save:
        return true;
      case DW_CFA_advance_loc1:
        Advance(cursor.Get<uint8_t>());
        return true;
      case DW_CFA_advance_loc2:
        Advance(cursor.Get<uint16_t>());
        return true;
      case DW_CFA_advance_loc4:
        Advance(cursor.Get<uint32_t>());
        return true;
      case DW_CFA_offset_extended: {
        const uint64_t number = cursor.Uleb();
        SetRule(number, {Kind::kAtCfa, 0, Factored(cursor.Uleb()), {}});
        return true;
      }
      case DW_CFA_offset_extended_sf: {
        const uint64_t number = cursor.Uleb();
        const auto offset = static_cast<uint64_t>(cursor.Sleb());
        SetRule(number, {Kind::kAtCfa, 0, Factored(offset), {}});
        return true;
      }
      case DW_CFA_GNU_negative_offset_extended: {
        const uint64_t number = cursor.Uleb();
        SetRule(number, {Kind::kAtCfa, 0, Factored(0 - cursor.Uleb()), {}});
        return true;
      }
      case DW_CFA_val_offset: {
        const uint64_t number = cursor.Uleb();
        SetRule(number, {Kind::kCfaPlus, 0, Factored(cursor.Uleb()), {}});
        return true;
      }
      case DW_CFA_val_offset_sf: {
        const uint64_t number = cursor.Uleb();
        const auto offset = static_cast<uint64_t>(cursor.Sleb());
        SetRule(number, {Kind::kCfaPlus, 0, Factored(offset), {}});
        return true;
      }
      case DW_CFA_restore_extended:
        Restore(cursor.Uleb());
        return true;
      case DW_CFA_undefined:
        SetRule(cursor.Uleb(), {Kind::kUndefined, 0, 0, {}});
        return true;
      case DW_CFA_same_value:
        SetRule(cursor.Uleb(), {});
        return true;
      case DW_CFA_register: {
        const uint64_t number = cursor.Uleb();
        const uint64_t from = cursor.Uleb();
        SetRule(number, {Kind::kRegister, static_cast<uint16_t>(from), 0, {}});
        return from < kRegisters;
      }
      case DW_CFA_expression:
      case DW_CFA_val_expression: {
        const uint64_t number = cursor.Uleb();
        const std::string_view code = cursor.Take(cursor.Uleb());
        SetRule(number, {operation == DW_CFA_expression ? Kind::kAtExpression
                                                        : Kind::kExpression,
                         0, 0, code});
        return true;
      }
      case DW_CFA_GNU_args_size:
        (void)cursor.Uleb();
        return true;
      case DW_CFA_remember_state:
        remembered_.push_back(state_);
        return remembered_.size() <= kMaxRemembered;
      case DW_CFA_restore_state:
        if (remembered_.empty()) {
          return false;
        }
        state_ = remembered_.back();
        remembered_.pop_back();
        return true;
      default:
        return StepCfa(operation, cursor);
    }
  }

  bool StepCfa(uint8_t operation, ByteCursor& cursor) {
    switch (operation) {
      case DW_CFA_def_cfa: {
        const uint64_t number = cursor.Uleb();
        SetCfa(number, static_cast<int64_t>(cursor.Uleb()));
        return number < kRegisters;
      }
      case DW_CFA_def_cfa_sf: {
        const uint64_t number = cursor.Uleb();
        SetCfa(number, Factored(static_cast<uint64_t>(cursor.Sleb())));
        return number < kRegisters;
      }
      case DW_CFA_def_cfa_register: {
        const uint64_t number = cursor.Uleb();
        SetCfa(number, state_.cfa.offset);
        return number < kRegisters;
      }
      case DW_CFA_def_cfa_offset:
        SetCfa(state_.cfa.base, static_cast<int64_t>(cursor.Uleb()));
        return true;
      case DW_CFA_def_cfa_offset_sf:
        SetCfa(state_.cfa.base, Factored(static_cast<uint64_t>(cursor.Sleb())));
        return true;
      case DW_CFA_def_cfa_expression:
        state_.cfa = {Kind::kExpression, 0, 0, cursor.Take(cursor.Uleb())};
        return true;
      default:  // DW_CFA_set_loc too, which no compiler writes
        return false;
    }
  }

  const CfaProgram& program_;
  uint64_t location_;
  State state_;
  State initial_;
  std::vector<State> remembered_;
};

}  // namespace

std::optional<UnwindRow> CfaProgram::RowAt(uint64_t va) const {
  Machine machine(*this);
  if (!machine.RunInitial() || !machine.RunTo(va)) {
    return std::nullopt;
  }
  UnwindRow row = machine.Row();
  if (row.cfa.kind == Kind::kSame) {
    return std::nullopt;
  }
  return row;
}

}  // namespace edgewise::symbols
