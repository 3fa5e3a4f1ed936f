"""Writes the table of promises in the README of each chart that has them: ``python tools/write_promises.py``."""

from __future__ import annotations

import sys

from promises import CHARTS, promises_of, promising_charts, with_table

if __name__ == "__main__":
    for chart in promising_charts():
        file = CHARTS / chart / "README.md"
        file.write_text(with_table(file.read_text(encoding="utf-8"), promises_of(chart).promises), encoding="utf-8")
        sys.stdout.write(f"wrote {file.relative_to(CHARTS.parent)}\n")
