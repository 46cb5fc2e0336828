#include "symbols/unwinder.h"

#include <array>
#include <optional>

#include "symbols/expression.h"
#include "symbols/stack_copy.h"

namespace edgewise::symbols {
namespace {

enum class Step {
  kCaller,       // the registers are now those of the caller
  kInterrupted,  // the same, and the caller was interrupted and did not call
  kRoot,
  kFailed,
};

using Kind = UnwindRule::Kind;

std::optional<uint64_t> CfaOf(const UnwindRow& row, const Registers& registers,
                              StackCopy& memory) {
  if (row.cfa.kind == Kind::kExpression) {
    return Evaluate(row.cfa.expression, registers, memory, std::nullopt);
  }
  const std::optional<uint64_t> base = registers.Get(row.cfa.base);
  if (!base) {
    return std::nullopt;
  }
  return *base + static_cast<uint64_t>(row.cfa.offset);
}

std::optional<uint64_t> ValueOf(const UnwindRule& rule, uint64_t cfa,
                                const Registers& registers, StackCopy& memory) {
  switch (rule.kind) {
    case Kind::kAtCfa:
      return memory.Read(cfa + static_cast<uint64_t>(rule.offset));
    case Kind::kCfaPlus:
      return cfa + static_cast<uint64_t>(rule.offset);
    case Kind::kRegister:
      return registers.Get(rule.base);
    case Kind::kAtExpression: {
      const auto at = Evaluate(rule.expression, registers, memory, cfa);
      return at ? memory.Read(*at) : std::nullopt;
    }
    case Kind::kExpression:
      return Evaluate(rule.expression, registers, memory, cfa);
    case Kind::kSame:
    case Kind::kUndefined:
      return std::nullopt;
  }
  return std::nullopt;
}

Step ApplyRow(const UnwindRow& row, StackCopy& memory, Registers* registers) {
  const std::optional<uint64_t> cfa = CfaOf(row, *registers, memory);
  // The stack grows downwards: a caller's part lies above. An interrupted one
  // may have run on another stack.
  if (!cfa || (!row.signal_frame && *cfa < registers->stack_pointer())) {
    return Step::kFailed;
  }
  Registers caller = *registers;
  caller.Forget(kProgramCounter);
  caller.Set(kStackPointer, *cfa);
  for (const UnwindRow::Saved& saved : row.registers) {
    if (saved.rule.kind == Kind::kUndefined &&
        saved.number == row.return_register) {
      return Step::kRoot;
    }
    const auto value = ValueOf(saved.rule, *cfa, *registers, memory);
    if (value) {
      caller.Set(saved.number, *value);
    } else {
      caller.Forget(saved.number);
    }
  }
  const std::optional<uint64_t> address = caller.Get(row.return_register);
  if (!address) {
    return Step::kFailed;
  }
  const uint64_t pc = WithoutSignature(*address);
  if (pc == 0) {
    return Step::kRoot;
  }
  // Without this a rule that changes nothing would be applied for ever.
  if (pc == registers->program_counter() &&
      caller.stack_pointer() == registers->stack_pointer()) {
    return Step::kFailed;
  }
  caller.Set(kProgramCounter, pc);
  *registers = caller;
  return row.signal_frame ? Step::kInterrupted : Step::kCaller;
}

// What the kernel put on the stack when it called a signal handler.
Step LeaveSignal(StackCopy& memory, Registers* registers) {
  const uint64_t sp = registers->stack_pointer();
  Registers caller;
#if defined(__aarch64__)
  // siginfo_t (128 bytes), then ucontext_t, whose registers are x0 to x30, sp,
  // pc at offset 184.
  for (size_t i = 0; i < kRegisters; ++i) {
    const auto value = memory.Read(sp + 128 + 184 + 8 * i);
#else
  // ucontext_t, whose registers are at offset 40, in this order.
  constexpr std::array<size_t, kRegisters> kOrder = {
      8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16};
  for (size_t at = 0; at < kRegisters; ++at) {
    const size_t i = kOrder[at];
    const auto value = memory.Read(sp + 40 + 8 * at);
#endif
    if (!value) {
      return Step::kFailed;
    }
    caller.Set(i, *value);
  }
  *registers = caller;
  return caller.program_counter() == 0 ? Step::kRoot : Step::kInterrupted;
}

// Code without rules may still keep frame pointers: each points at the
// caller's, and the return address lies above it.
Step FollowFramePointer(StackCopy& memory, Registers* registers) {
  const std::optional<uint64_t> frame = registers->Get(kFramePointer);
  if (!frame || *frame == 0 || *frame % 8 != 0 ||
      *frame < registers->stack_pointer()) {
    return Step::kFailed;
  }
  const auto next_frame = memory.Read(*frame);
  const auto address = memory.Read(*frame + 8);
  if (!next_frame || !address) {
    return Step::kFailed;
  }
  registers->Set(kFramePointer, *next_frame);
  registers->Set(kStackPointer, *frame + 16);
  registers->Set(kProgramCounter, WithoutSignature(*address));
  return WithoutSignature(*address) == 0 ? Step::kRoot : Step::kCaller;
}

Step Leave(const CodeAddress& at, StackCopy& memory, Registers* registers) {
  // First, because tables of the kernel's own code (aarch64) skip the function
  // that was interrupted.
  if (at.place != nullptr && at.place->signal_return) {
    return LeaveSignal(memory, registers);
  }
  if (at.place != nullptr && at.place->row != nullptr) {
    return ApplyRow(*at.place->row, memory, registers);
  }
  return FollowFramePointer(memory, registers);
}

// Functions that nothing called, for files that do not say so.
bool IsOutermost(const CodeAddress& at) {
  if (at.place == nullptr) {
    return false;
  }
  const std::vector<SourceFrame> frames = at.file->FramesAt(at.va);
  if (frames.empty()) {
    return false;
  }
  constexpr std::array<std::string_view, 8> kNames = {
      "_start",   "clone",          "__clone",        "clone3",
      "__clone3", "_dl_start_user", "runtime.goexit", "__clone_internal"};
  for (const std::string_view name : kNames) {
    if (frames.front().function == name) {
      return true;
    }
  }
  return false;
}

}  // namespace

CodeAddress Unwinder::Locate(const AddressSpace& space, uint64_t address) {
  CodeAddress located;
  located.address = address;
  const Mapping* mapping = space.Find(address);
  if (mapping == nullptr) {
    return located;
  }
  located.file = files_.Find(mapping->file);
  if (located.file == nullptr) {
    return located;
  }
  const auto va =
      located.file->VaOf(address - mapping->start + mapping->file_offset);
  if (va && located.file->kind() != CodeFile::Kind::kAnonymous) {
    located.va = *va;
    located.place = &located.file->PlaceAt(*va);
  }
  return located;
}

UnwindEnd Unwinder::Unwind(const AddressSpace& space, const Registers& sampled,
                           std::string_view stack) {
  addresses_.clear();
  Registers registers = sampled;
  bool called = false;
  for (;;) {
    const uint64_t pc = registers.program_counter();
    addresses_.push_back(Locate(space, called ? pc - 1 : pc));
    const CodeAddress& at = addresses_.back();
    if (called && at.file == nullptr) {
      // No code is there: the address was none.
      addresses_.pop_back();
      return UnwindEnd::kBroken;
    }
    if (addresses_.size() >= max_frames_) {
      return UnwindEnd::kTruncated;
    }
    StackCopy memory(sampled.stack_pointer(), stack);
    switch (Leave(at, memory, &registers)) {
      case Step::kCaller:
        called = true;
        break;
      case Step::kInterrupted:
        called = false;
        break;
      case Step::kRoot:
        return UnwindEnd::kRoot;
      case Step::kFailed:
        if (IsOutermost(at)) {
          return UnwindEnd::kRoot;
        }
        return memory.read_beyond() ? UnwindEnd::kTruncated
                                    : UnwindEnd::kBroken;
    }
  }
}

}  // namespace edgewise::symbols
