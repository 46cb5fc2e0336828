#!/usr/bin/env python3
"""Writes what this machine's NVML answers, in the form that the tests' stand-in
(tests/probes/gpu/fake_nvml.cc) reads:  record_nvml.py > answers"""
import ctypes
import sys

lib = ctypes.CDLL("libnvidia-ml.so.1")
lib.nvmlInit_v2()


class MemoryV2(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint), ("total", ctypes.c_ulonglong),
                ("reserved", ctypes.c_ulonglong), ("free", ctypes.c_ulonglong),
                ("used", ctypes.c_ulonglong)]


class Process(ctypes.Structure):
    _fields_ = [("pid", ctypes.c_uint), ("bytes", ctypes.c_ulonglong),
                ("gpu", ctypes.c_uint), ("compute", ctypes.c_uint)]


def text(function, *arguments):
    buffer = ctypes.create_string_buffer(96)
    status = getattr(lib, function)(*arguments, buffer, 96)
    return buffer.value.decode() if status == 0 else None


def number(function, *arguments, kind=ctypes.c_uint):
    value = kind()
    status = getattr(lib, function)(*arguments, ctypes.byref(value))
    return value.value if status == 0 else None


def line(key, *values):
    if all(value is not None for value in values):
        print(key, *values)


print("# Recorded by tests/gpu/record_nvml.py.")
line("driver", text("nvmlSystemGetDriverVersion"))
for index in range(number("nvmlDeviceGetCount_v2")):
    device = ctypes.c_void_p()
    lib.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(device))
    line("device", text("nvmlDeviceGetName", device))
    load = (ctypes.c_uint * 2)()
    if lib.nvmlDeviceGetUtilizationRates(device, load) == 0:
        line("utilization", *load)
    memory = (ctypes.c_ulonglong * 3)()
    if lib.nvmlDeviceGetMemoryInfo(device, memory) == 0:
        line("memory", memory[0], memory[2])
    newer = MemoryV2(version=ctypes.sizeof(MemoryV2) | 2 << 24)
    if lib.nvmlDeviceGetMemoryInfo_v2(device, ctypes.byref(newer)) == 0:
        line("memory_v2", newer.total, newer.used, newer.reserved)
    line("power_mw", number("nvmlDeviceGetPowerUsage", device))
    line("energy_mj", number("nvmlDeviceGetTotalEnergyConsumption", device,
                             kind=ctypes.c_ulonglong))
    line("sm_mhz", number("nvmlDeviceGetClockInfo", device, 1))
    line("memory_mhz", number("nvmlDeviceGetClockInfo", device, 2))
    line("max_sm_mhz", number("nvmlDeviceGetMaxClockInfo", device, 1))
    line("max_memory_mhz", number("nvmlDeviceGetMaxClockInfo", device, 2))
    line("bus_bits", number("nvmlDeviceGetMemoryBusWidth", device))
    line("celsius", number("nvmlDeviceGetTemperature", device, 0))
    line("throttle", number("nvmlDeviceGetCurrentClocksEventReasons", device,
                            kind=ctypes.c_ulonglong))
    line("receive_kib", number("nvmlDeviceGetPcieThroughput", device, 1))
    line("transmit_kib", number("nvmlDeviceGetPcieThroughput", device, 0))
    processes = (Process * 64)()
    count = ctypes.c_uint(64)
    status = lib.nvmlDeviceGetComputeRunningProcesses_v3(
        device, ctypes.byref(count), processes)
    if status != 0:
        line("no_processes")
    for process in processes[:count.value if status == 0 else 0]:
        line("process", process.pid, process.bytes)
lib.nvmlShutdown()
sys.exit(0)
