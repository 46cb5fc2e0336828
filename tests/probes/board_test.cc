// Frequency, temperature, power, firmware throttling: figures of the board.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "fake_tree.h"
#include "probes/cpufreq.h"
#include "probes/power.h"
#include "probes/rpi.h"
#include "probes/thermal.h"

namespace edgewise {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(CpuFrequencyTest, ReadsCoresInOrder) {
  const FakeTree sys;
  sys.Write("devices/system/cpu/cpu10/cpufreq/scaling_cur_freq", "1800000\n");
  sys.Write("devices/system/cpu/cpu2/cpufreq/scaling_cur_freq", "600000\n");
  sys.Write("devices/system/cpu/cpufreq/boost", "1\n");
  CpuFrequency frequency(sys.root());
  const auto cores = frequency.ReadKhz();
  ASSERT_THAT(cores, SizeIs(2));
  EXPECT_EQ(cores[0].cpu, 2);
  EXPECT_EQ(cores[1].khz, 1800000);
  EXPECT_EQ(frequency.ReadMeanKhz(), 1200000);
  EXPECT_EQ(ReadTurbo(sys.root()), true);
}

TEST(CpuFrequencyTest, AVirtualMachineHasNone) {
  const FakeTree sys;
  sys.MakeFolder("devices/system/cpu/cpu0");
  EXPECT_EQ(CpuFrequency(sys.root()).ReadMeanKhz(), std::nullopt);
  EXPECT_EQ(ReadGovernor(sys.root()), std::nullopt);
  EXPECT_EQ(ReadTurbo(sys.root()), std::nullopt);
}

TEST(GovernorTest, DifferingCoresAreNamedBoth) {
  const FakeTree sys;
  sys.Write("devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(ReadGovernor(sys.root()), "powersave");
  sys.Write("devices/system/cpu/cpu1/cpufreq/scaling_governor",
            "performance\n");
  EXPECT_EQ(ReadGovernor(sys.root()), "performance/powersave");
}

TEST(ThermalZoneTest, ReadsMillicelsius) {
  const FakeTree sys;
  sys.Write("class/thermal/thermal_zone0/temp", "45123\n");
  sys.Write("class/thermal/thermal_zone0/type", "cpu-thermal\n");
  const ThermalZone zone(0, sys.root());
  EXPECT_EQ(zone.ReadMillicelsius(), 45123);
  EXPECT_EQ(zone.Type(), "cpu-thermal");
}

TEST(ThermalZoneTest, MissingZoneIsAbsent) {
  const FakeTree sys;
  EXPECT_EQ(ThermalZone(3, sys.root()).ReadMillicelsius(), std::nullopt);
}

TEST(ThermalZoneTest, ASensorThatIsOffIsAbsent) {
  const FakeTree sys;
  sys.Write("class/thermal/thermal_zone0/temp", "-256000\n");
  sys.Write("class/thermal/thermal_zone2/temp", "30000\n");
  sys.Write("class/thermal/cooling_device0/type", "fan\n");
  const auto zones = FindThermalZones(sys.root());
  ASSERT_THAT(zones, SizeIs(1));
  EXPECT_EQ(zones[0].index(), 2);
}

TEST(PowerTest, NoSensorsIsUnknownNotZero) {
  const FakeTree sys;
  PowerProbe probe(sys.root());
  EXPECT_FALSE(probe.any());
  const PowerReading reading = probe.Read(0);
  EXPECT_THAT(reading.rails, IsEmpty());
  EXPECT_EQ(reading.total_joules, std::nullopt);
  EXPECT_EQ(reading.total_watts, std::nullopt);
}

TEST(PowerTest, RaplIsFollowedThroughItsWrapAround) {
  const FakeTree sys;
  const std::string package = "class/powercap/intel-rapl:0/";
  sys.Write(package + "name", "package-0\n");
  sys.Write(package + "max_energy_range_uj", "10000000\n");
  sys.Write(package + "energy_uj", "9000000\n");
  sys.Write("class/powercap/intel-rapl:0:0/name", "core\n");
  sys.Write("class/powercap/intel-rapl:0:0/energy_uj", "5\n");
  sys.Write("class/powercap/intel-rapl-mmio:0/energy_uj", "5\n");
  PowerProbe probe(sys.root());
  EXPECT_EQ(probe.Read(0).total_joules, 0.0);
  sys.Write(package + "energy_uj", "1000000\n");
  const PowerReading reading = probe.Read(2 * kNsPerSecond);
  ASSERT_TRUE(reading.total_joules);
  EXPECT_NEAR(*reading.total_joules, 2.0, 1e-9);
  EXPECT_NEAR(*reading.total_watts, 1.0, 1e-9);
  EXPECT_EQ(reading.total_of, "package-0");
  EXPECT_THAT(reading.rails, SizeIs(2));
}

TEST(PowerTest, JetsonBoardRailIsTheTotal) {
  const FakeTree sys;
  const std::string chip = "class/hwmon/hwmon3/";
  sys.Write(chip + "name", "ina3221\n");
  sys.Write(chip + "in1_label", "VDD_IN\n");
  sys.Write(chip + "in1_input", "5000\n");
  sys.Write(chip + "curr1_input", "1000\n");
  sys.Write(chip + "in2_label", "VDD_CPU_GPU_CV\n");
  sys.Write(chip + "in2_input", "5000\n");
  sys.Write(chip + "curr2_input", "400\n");
  sys.Write(chip + "in3_label", "NC\n");
  sys.Write(chip + "in3_input", "1\n");
  sys.Write(chip + "curr3_input", "1\n");
  PowerProbe probe(sys.root());
  const PowerReading first = probe.Read(0);
  ASSERT_THAT(first.rails, SizeIs(2));
  EXPECT_NEAR(*first.total_watts, 5.0, 1e-9);
  EXPECT_EQ(first.total_of, "VDD_IN");
  EXPECT_NEAR(*first.rails[1].watts, 2.0, 1e-9);
  sys.Write(chip + "curr1_input", "2000\n");
  // Trapezoid: from 5 W to 10 W over two seconds.
  EXPECT_NEAR(*probe.Read(2 * kNsPerSecond).total_joules, 15.0, 1e-9);
}

TEST(PowerTest, OlderJetsonsTellMilliwatts) {
  const FakeTree sys;
  const std::string device = "bus/i2c/drivers/ina3221x/6-0040/iio:device0/";
  sys.Write(device + "rail_name_0", "POM_5V_IN\n");
  sys.Write(device + "in_power0_input", "1750\n");
  const PowerReading reading = PowerProbe(sys.root()).Read(0);
  EXPECT_NEAR(*reading.total_watts, 1.75, 1e-9);
}

TEST(PowerTest, ABatteryCountsOnlyWhileItIsUsed) {
  const FakeTree sys;
  sys.Write("class/power_supply/BAT0/type", "Battery\n");
  sys.Write("class/power_supply/BAT0/voltage_now", "12000000\n");
  sys.Write("class/power_supply/BAT0/current_now", "500000\n");
  sys.Write("class/power_supply/BAT0/status", "Charging\n");
  sys.Write("class/power_supply/AC/type", "Mains\n");
  PowerProbe probe(sys.root());
  EXPECT_EQ(probe.Read(0).total_watts, std::nullopt);
  sys.Write("class/power_supply/BAT0/status", "Discharging\n");
  EXPECT_NEAR(*probe.Read(1).total_watts, 6.0, 1e-9);
}

TEST(PowerTest, PartsAloneAreNoTotal) {
  const FakeTree sys;
  sys.Write("class/hwmon/hwmon0/name", "amdgpu\n");
  sys.Write("class/hwmon/hwmon0/power1_average", "3000000\n");
  const PowerReading reading = PowerProbe(sys.root()).Read(0);
  ASSERT_THAT(reading.rails, SizeIs(1));
  EXPECT_EQ(reading.rails[0].name, "amdgpu power1");
  EXPECT_EQ(reading.total_watts, std::nullopt);
}

TEST(PiThrottlingTest, ReadsTheBits) {
  const auto flags = ParsePiThrottling("50005\n");
  ASSERT_TRUE(flags);
  EXPECT_TRUE(flags->under_voltage);
  EXPECT_FALSE(flags->frequency_capped);
  EXPECT_TRUE(flags->throttled);
  EXPECT_TRUE(flags->had_under_voltage);
  EXPECT_TRUE(flags->had_throttling);
  EXPECT_TRUE(flags->now());
  EXPECT_FALSE(ParsePiThrottling("0x0")->now());
  EXPECT_FALSE(ParsePiThrottling("zero"));
  EXPECT_FALSE(ParsePiThrottling(""));
}

TEST(PiThrottlingTest, OtherBoardsHaveNone) {
  const FakeTree sys;
  EXPECT_FALSE(ReadPiThrottling(sys.root()));
}

}  // namespace
}  // namespace edgewise
