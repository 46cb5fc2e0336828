"""Plain Python: calls, arithmetic, lists; half a second, or so many times as long."""
import sys


def square(n):
    return n * n


def row(n):
    return [square(i) for i in range(n)]


for _ in range(12000 * int((sys.argv + ["1"])[1])):
    sum(row(1000))
