"""Draws what a command prints on a colour terminal as an SVG.

    terminal_svg.py OUTPUT.svg COLUMNS COMMAND...
"""
import html
import os
import pty
import re
import subprocess
import sys

COLOURS = {"1": "#ffffff", "2": "#8b949e", "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "90": "#8b949e"}


def capture(columns, command):
    """The command's output as it would be on a terminal that wide."""
    master, slave = pty.openpty()
    subprocess.run(["stty", "cols", str(columns), "rows", "60"], stdin=slave, check=True)
    with subprocess.Popen(command, stdout=slave, stderr=slave, stdin=subprocess.DEVNULL) as process:
        os.close(slave)
        text = b""
        while True:
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        process.wait()
    os.close(master)
    return text.decode().replace("\r\n", "\n")


def spans(line):
    """Pieces of a line as (text, colour, bold)."""
    colour, bold = "#c9d1d9", False
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[([0-9;]*)m", piece)
        if not code:
            if piece:
                yield piece, colour, bold
            continue
        for part in code[1].split(";"):
            if part in ("", "0"):
                colour, bold = "#c9d1d9", False
            elif part == "1":
                bold = True
            else:
                colour = COLOURS.get(part, colour)


def main():
    output, columns, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    lines = capture(columns, command).rstrip("\n").split("\n")
    width, height, step = columns * 8.43 + 32, len(lines) * 18 + 32, 18
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
             'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">',
             f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#0d1117"/>']
    for number, line in enumerate(lines):
        text = "".join(
            '<tspan fill="' + colour + '"' + (' font-weight="bold"' if bold else "") + ">" + html.escape(piece) + "</tspan>"
            for piece, colour, bold in spans(line))
        parts.append(f'<text x="16" y="{30 + number * step}" xml:space="preserve">{text}</text>')
    parts.append("</svg>\n")
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(parts))


main()
