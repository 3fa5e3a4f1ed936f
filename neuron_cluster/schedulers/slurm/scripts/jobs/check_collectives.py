"""Runs nccom-test over the nodes of this Slurm job, and compares bus bandwidths with minimums.

Table, minimums and verdict are those of charts/collectives-check. Options of nccom-test, whose Slurm mode starts its
processes with srun: https://awsdocs-neuron.readthedocs-hosted.com/en/latest/tools/neuron-sys-tools/nccom-test.html
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from collectives_report import (
    Measurement,
    UnreadableOutput,
    Verdict,
    judge,
    read_floors,
    read_table,
    summary,
    verdict,
)
from locked_memory import advice, describe, locked_memory_line, soft_limit

LOW_LIMIT = (
    "nccom-test ends with -12 (Cannot allocate memory) over EFA. Nodes of this environment start slurmd with no limit: "
    "`systemctl show slurmd -p LimitMEMLOCK`. A job without `#SBATCH --propagate=NONE` has that of the submitting shell"
)
BELOW_MINIMUM = 10
NOT_RUN = 11
OPERATIONS = ("all_reduce", "all_gather", "reduce_scatter")
OPERATION_SECONDS = 1200


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operations", nargs="*", help="of nccom-test; without one the three that training uses most")
    parser.add_argument("--ranks", type=int, required=True, help="NeuronCores of all nodes")
    parser.add_argument("--minimums", type=Path, help="JSON file with the rows of the value floors of the chart")
    parser.add_argument("--min-bytes", type=int, default=1 << 20)
    parser.add_argument("--max-bytes", type=int, default=1 << 30)
    return parser.parse_args()


def command(operation: str, given: argparse.Namespace) -> list[str]:
    nodes = int(os.environ["SLURM_NNODES"])
    words = ["nccom-test", operation, f"--nworkers={given.ranks}", f"--nnodes={nodes}", "--non-interactive"]
    words += [f"--minbytes={given.min_bytes}", f"--maxbytes={given.max_bytes}", "--stepfactor=4", "--datatype=bf16"]
    if nodes > 1:
        words += ["--slurm-mode", f"--slurm-job-id={os.environ['SLURM_JOB_ID']}"]
    return words


def measure(operation: str, given: argparse.Namespace) -> list[Measurement]:
    """Raises UnreadableOutput, also for a status that the output does not explain."""
    words = command(operation, given)
    print(" ".join(words), flush=True)
    try:
        ran = subprocess.run(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=OPERATION_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise UnreadableOutput(f"{words[0]} {operation}: {problem}") from problem
    print(ran.stdout, flush=True)
    found = read_table(operation, ran.stdout)
    if ran.returncode != 0:
        raise UnreadableOutput(f"{words[0]} {operation} ended with status {ran.returncode}")
    return found


def main() -> int:
    given = read_options()
    limit = soft_limit()
    print(locked_memory_line(limit), flush=True)
    if advice(limit):
        print(f"This job may lock {describe(limit)} of memory. {LOW_LIMIT}", file=sys.stderr, flush=True)
    try:
        minimums = read_floors(json.loads(given.minimums.read_text(encoding="utf-8"))) if given.minimums else []
        found = [each for operation in given.operations or OPERATIONS for each in measure(operation, given)]
    except (OSError, ValueError, KeyError, UnreadableOutput) as problem:
        print(f"check_collectives could not run: {problem}", file=sys.stderr)
        return NOT_RUN
    results = judge(minimums, found)
    print(summary(found, results))
    return BELOW_MINIMUM if verdict(results) is Verdict.FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
