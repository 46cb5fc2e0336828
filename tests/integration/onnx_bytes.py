"""A small ONNX file without any library; as a program, it prints it."""
import sys


def a_model():
    """ONNX of one convolution, 3 to 8 channels, 3 by 3, on 64 by 64 points."""
    def varint(number):
        out = b""
        while number > 127:
            out, number = out + bytes([number & 127 | 128]), number >> 7
        return out + bytes([number])

    def number(field, value):
        return varint(field << 3) + varint(value)

    def block(field, body):
        body = body.encode() if isinstance(body, str) else body
        return varint(field << 3 | 2) + varint(len(body)) + body

    def value(name, *extents):
        shape = b"".join(block(1, number(1, extent)) for extent in extents)
        return block(1, name) + block(2, block(1, number(1, 1) + block(2, shape)))

    def integers(name, *values):
        return block(5, block(1, name) + b"".join(number(8, each) for each in values) + number(20, 7))
    node = (block(1, "x") + block(1, "w") + block(2, "y") + block(3, "conv") + block(4, "Conv")
            + integers("kernel_shape", 3, 3) + integers("pads", 1, 1, 1, 1))
    weights = b"".join(number(1, extent) for extent in (8, 3, 3, 3)) + number(2, 1) + block(8, "w") + block(9, bytes(864))
    graph = (block(1, node) + block(2, "net") + block(5, weights) + block(11, value("x", 1, 3, 64, 64))
             + block(12, value("y", 1, 8, 64, 64)))
    return number(1, 7) + block(7, graph) + block(8, number(2, 11))


if __name__ == "__main__":
    sys.stdout.buffer.write(a_model())
