// The kernel's way back from a signal handler, in a file without tables.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ucontext.h>

#include <bit>
#include <cstring>
#include <fstream>

#include "own_sample.h"

namespace edgewise::symbols {
namespace {

using ::testing::ElementsAre;

constexpr uint64_t kTrampoline = 0x7f0000001000;
constexpr uint64_t kInterrupted = 0x7f0000009123;
constexpr uint64_t kStack = 0x7ffe00001000;
constexpr size_t kRegisterCount =
    static_cast<size_t>(std::popcount(stacks::kSampledRegisters));

#if defined(__aarch64__)
constexpr std::string_view kCode("\x68\x11\x80\xd2\x01\x00\x00\xd4", 8);
constexpr size_t kStackRegister = 31;
constexpr size_t kPcRegister = 32;
#else
constexpr std::string_view kCode("\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05", 9);
constexpr size_t kStackRegister = 7;
constexpr size_t kPcRegister = 8;
#endif

// The smallest file that can be mapped: one segment with `kCode` at 0x1000.
std::string TrampolineFile() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
#if defined(__aarch64__)
  header.e_machine = EM_AARCH64;
#else
  header.e_machine = EM_X86_64;
#endif
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 1;
  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_flags = PF_R | PF_X;
  segment.p_offset = 0x1000;
  segment.p_vaddr = 0x1000;
  segment.p_filesz = kCode.size();
  std::string file(0x1000, '\0');
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + sizeof(header), &segment, sizeof(segment));
  return file + std::string(kCode);
}

// What the kernel leaves at the stack pointer of a handler that returned.
std::string SignalFrame() {
  ucontext_t context{};
#if defined(__aarch64__)
  context.uc_mcontext.pc = kInterrupted;
  context.uc_mcontext.sp = kStack + 2000;
  const std::string info(128, '\0');
#else
  context.uc_mcontext.gregs[REG_RIP] = kInterrupted;
  context.uc_mcontext.gregs[REG_RSP] = kStack + 2000;
  const std::string info;
#endif
  return info +
         std::string(reinterpret_cast<const char*>(&context), sizeof(context));
}

TEST(SignalReturnTest, WhatWasInterruptedIsTheCaller) {
  SpoolUnderTest spool;
  const std::string path = spool.path() + ".elf";
  std::ofstream(path) << TrampolineFile();
  spool.writer().Add(stacks::SpooledFile{1, 0, 0, path, ""});
  spool.writer().Add(stacks::SpooledFile{2, 0, 0, "//anon", ""});
  spool.writer().Add(stacks::SpooledMap{10, kTrampoline, 0x1000, 0x1000, 1});
  spool.writer().Add(stacks::SpooledMap{10, 0x7f0000009000, 0x1000, 0, 2});
  OwnSample own;
  own.sample.pid = 10;
  own.sample.registers.assign(kRegisterCount, 0);
  own.sample.registers[kPcRegister] = kTrampoline;
  own.sample.registers[kStackRegister] = kStack;
  own.stack = SignalFrame();
  spool.Add(own);
  const auto functions = FunctionsOf(spool.Fold());
  std::filesystem::remove(path);
  ASSERT_EQ(functions.size(), 3U);
  // Not one byte before, as for a function that called.
  EXPECT_EQ(functions[1], "0x7f0000009123");
  EXPECT_TRUE(functions[2].ends_with(".elf+0x1000")) << functions[2];
}

}  // namespace
}  // namespace edgewise::symbols
