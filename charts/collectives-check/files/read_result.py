"""The helm test: prints the last result and fails unless the check ended well."""

from __future__ import annotations

import sys

from collectives_report import Verdict
from result_store import ResultStore


def main() -> int:
    data = ResultStore(sys.argv[1]).read()
    ended = data.get("verdict", "never run")
    print(data.get("summary", ""), f"verdict: {ended}", sep="\n")
    return 0 if ended in {Verdict.PASSED, Verdict.WARNED} else 1


if __name__ == "__main__":
    sys.exit(main())
