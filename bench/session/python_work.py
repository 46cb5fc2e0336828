"""Half a second of plain Python: calls, arithmetic, lists."""


def square(n):
    return n * n


def row(n):
    return [square(i) for i in range(n)]


for _ in range(12000):
    sum(row(1000))
