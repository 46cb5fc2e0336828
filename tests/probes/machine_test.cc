#include "probes/machine.h"

#include <gtest/gtest.h>

#include "fake_tree.h"

namespace edgewise {
namespace {

TEST(CpuModelTest, ReadsX86) {
  EXPECT_EQ(ParseCpuModel("processor\t: 0\nmodel name\t: AMD EPYC\n\n"
                          "processor\t: 1\nmodel name\t: AMD EPYC\n"),
            "AMD EPYC");
}

TEST(CpuModelTest, NamesArmPartsOfBigAndLittleCores) {
  EXPECT_EQ(ParseCpuModel("processor\t: 0\nCPU implementer\t: 0x41\n"
                          "CPU part\t: 0xd03\n\nprocessor\t: 1\n"
                          "CPU implementer\t: 0x41\nCPU part\t: 0xd08\n"),
            "Cortex-A53 + Cortex-A72");
  EXPECT_EQ(ParseCpuModel("CPU implementer : 0x99\nCPU part : 0x001\n"),
            "ARM implementer 0x99 part 0x001");
  EXPECT_EQ(ParseCpuModel("model name : ARMv7 Processor rev 4 (v7l)\n"
                          "CPU implementer : 0x41\nCPU part : 0xd03\n"),
            "Cortex-A53");
}

TEST(CpuModelTest, UnknownIsEmpty) { EXPECT_EQ(ParseCpuModel("rubbish"), ""); }

TEST(OsNameTest, QuotesAreOptional) {
  EXPECT_EQ(ParseOsName("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"),
            "Debian GNU/Linux 12");
  EXPECT_EQ(ParseOsName("PRETTY_NAME=Alpine\n"), "Alpine");
  EXPECT_EQ(ParseOsName("ID=x\n"), "");
}

TEST(FingerprintTest, DependsOnWhatDecidesSpeedOnly) {
  Machine machine;
  machine.architecture = "aarch64";
  machine.cpu_model = "Cortex-A76";
  machine.cores = 4;
  machine.memory_bytes = int64_t{8} << 30;
  const std::string print = MachineFingerprint(machine);
  EXPECT_EQ(print.size(), 16u);
  Machine same = machine;
  same.hostname = "other";
  same.kernel = "6.9";
  same.memory_bytes -= 100 << 20;
  EXPECT_EQ(MachineFingerprint(same), print);
  Machine other = machine;
  other.cores = 8;
  EXPECT_NE(MachineFingerprint(other), print);
}

TEST(MachineTest, ReadsARaspberryPi) {
  const FakeTree root;
  root.Write("proc/sys/kernel/hostname", "pi\n");
  root.Write("proc/sys/kernel/osrelease", "6.6.31+rpt-rpi-2712\n");
  root.Write("proc/cpuinfo",
             "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\n");
  root.Write("proc/device-tree/model",
             std::string_view("Raspberry Pi 5 Model B\0", 23));
  root.Write("proc/meminfo", "MemTotal:        8129792 kB\nMemFree: 1 kB\n");
  root.Write("etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 12\"\n");
  root.Write("sys/devices/system/cpu/online", "0-3\n");
  root.Write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
             "ondemand\n");
  const Machine machine = ReadMachine(root.root());
  EXPECT_EQ(machine.hostname, "pi");
  EXPECT_EQ(machine.kernel, "6.6.31+rpt-rpi-2712");
  EXPECT_EQ(machine.cpu_model, "Cortex-A76");
  EXPECT_EQ(machine.board, "Raspberry Pi 5 Model B");
  EXPECT_EQ(machine.memory_bytes, int64_t{8129792} * 1024);
  EXPECT_EQ(machine.os, "Debian GNU/Linux 12");
  EXPECT_EQ(machine.cores, 4);
  EXPECT_EQ(machine.governor, "ondemand");
  EXPECT_EQ(machine.virtualization, "");
  EXPECT_FALSE(machine.architecture.empty());
}

TEST(MachineTest, ReadsAContainerInAVirtualMachine) {
  const FakeTree root;
  root.Write("proc/cpuinfo", "processor : 0\nflags : fpu hypervisor sse\n");
  root.Write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  root.Write("sys/class/dmi/id/product_name", "Standard PC\n");
  root.Write("run/.containerenv", "");
  const Machine machine = ReadMachine(root.root());
  EXPECT_EQ(machine.virtualization, "kvm, container:podman");
  EXPECT_EQ(machine.board, "QEMU Standard PC");
  EXPECT_EQ(machine.cores, 1);
}

TEST(MachineTest, AnEmptyRootIsAnEmptyMachine) {
  const FakeTree root;
  const Machine machine = ReadMachine(root.root());
  EXPECT_EQ(machine.cpu_model, "");
  EXPECT_EQ(machine.cores, 0);
  EXPECT_EQ(machine.memory_bytes, 0);
}

}  // namespace
}  // namespace edgewise
