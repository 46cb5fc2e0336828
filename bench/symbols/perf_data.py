"""Turns a perf.data of `perf record --call-graph dwarf` into a stack spool.

Only what unwinding needs: samples, mappings, names, forks and exits. The spool's
bytes are described in docs/formats/spool.md.
"""
import os
import struct
import sys

MMAP, LOST, COMM, EXIT, FORK, SAMPLE, MMAP2 = 1, 2, 3, 4, 7, 9, 10
COMM_EXEC = 1 << 13
IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD, STREAM_ID = (1 << i for i in range(10))
REGS_USER, STACK_USER, IDENTIFIER = 1 << 12, 1 << 13, 1 << 16
FIRST_CONTEXT = 2**64 - 4095


class Spool:
    def __init__(self, path):
        self.out = open(path, "wb")
        self.out.write(b"edgewise spool 1")
        self.files = {}

    def add(self, kind, payload):
        self.out.write(struct.pack("=II", kind, len(payload)) + payload)

    @staticmethod
    def text(value):
        return struct.pack("=I", len(value)) + value

    def file(self, path, device, inode):
        if path not in self.files:
            self.files[path] = len(self.files) + 1
            self.add(1, struct.pack("=IQQ", self.files[path], device, inode) + self.text(path) + self.text(b""))
        return self.files[path]

    def life(self, event, pid, tid=0, parent=0, name=b""):
        self.add(3, struct.pack("=IiiiI", event, pid, tid, parent, 0) + self.text(name))


def sample(body, layout):
    at = 0

    def take(form):
        nonlocal at
        values = struct.unpack_from("=" + form, body, at)
        at += struct.calcsize("=" + form)
        return values if len(values) > 1 else values[0]

    if layout & IDENTIFIER:
        take("Q")
    if layout & IP:
        take("Q")
    pid, tid = take("ii")
    time_ns = take("Q")
    for bit, form in ((ADDR, "Q"), (ID, "Q"), (STREAM_ID, "Q"), (CPU, "II"), (PERIOD, "Q")):
        if layout & bit:
            take(form)
    kernel = []
    if layout & CALLCHAIN:
        in_kernel = False
        for _ in range(take("Q")):
            address = take("Q")
            if address >= FIRST_CONTEXT:
                in_kernel = address == 2**64 - 128
            elif in_kernel:
                kernel.append(address)
    abi, registers = take("Q"), b""
    if abi:
        registers = body[at:at + 8 * 20]
        at += len(registers)
    size, stack = take("Q"), b""
    if size:
        stack = body[at:at + size]
        at += size
        stack = stack[:take("Q")]
    user_ip = struct.unpack_from("=Q", registers, 64)[0] if registers else 0
    head = struct.pack("=iiQIIQIII", pid, tid, time_ns, 1, 0, user_ip, len(kernel), len(registers) // 8, 0)
    return head + struct.pack(f"={len(kernel)}Q", *kernel) + registers + stack


def convert(source, target):
    """Returns how many samples there are."""
    data = open(source, "rb").read()
    assert data[:8] == b"PERFILE2", "not a perf.data"
    attrs, _, begin, size = struct.unpack_from("=QQQQ", data, 24)
    layout = struct.unpack_from("=Q", data, attrs + 24)[0]
    assert layout & TID and layout & TIME and layout & REGS_USER and layout & STACK_USER, "no --call-graph dwarf"
    assert struct.unpack_from("=Q", data, attrs + 80)[0] == 0xFF0FFF, "other registers than edgewise samples"
    spool, count, at = Spool(target), 0, begin
    while at < begin + size:
        kind, misc, length = struct.unpack_from("=IHH", data, at)
        body = data[at + 8:at + length]
        at += length
        if kind == SAMPLE:
            spool.add(5, sample(body, layout))
            count += 1
        elif kind == MMAP2:
            pid, _, start, extent, offset, major, minor, inode = struct.unpack_from("=iiQQQIIQ", body)
            path = body[64:].split(b"\0", 1)[0]
            spool.add(2, struct.pack("=iQQQI", pid, start, extent, offset,
                                     spool.file(path, os.makedev(major, minor), inode)))
        elif kind == COMM:
            pid, tid = struct.unpack_from("=ii", body)
            if misc & COMM_EXEC:
                spool.life(2, pid)
            spool.life(4, pid, tid, 0, body[8:].split(b"\0", 1)[0])
        elif kind == FORK:
            pid, parent, tid, _ = struct.unpack_from("=iiii", body)
            if pid != parent:
                spool.life(1, pid, tid, parent)
        elif kind == EXIT:
            pid, _, tid, _ = struct.unpack_from("=iiii", body)
            if pid == tid:
                spool.life(3, pid)
    return count


if __name__ == "__main__":
    print(convert(sys.argv[1], sys.argv[2]), "samples")
