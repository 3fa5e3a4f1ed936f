"""Runs nccom-test and reads what it measured."""

from __future__ import annotations

import os
import subprocess
import sys

from check_plan import CheckPlan, Run
from collectives_report import Measurement, UnreadableOutput, read_table


def measure_run(plan: CheckPlan, run: Run) -> list[Measurement]:
    """The measurements of one run; what fails is tried again. Raises UnreadableOutput with the last problem."""
    environment = dict(os.environ)
    if run.addresses:
        environment["NEURON_RT_ROOT_COMM_ID"] = f"{run.addresses[0]}:{plan.root_communication_port}"
    command = plan.command(run, os.environ["POD_IP"])
    attempt = 1
    while True:
        try:
            done = subprocess.run(
                command,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=run.timeout_seconds,
            )
        except OSError as problem:
            raise UnreadableOutput(f"{command[0]} cannot be run in this image: {problem.strerror}") from problem
        print(done.stdout, flush=True)
        try:
            return _measurements_of(run.operation, done)
        except UnreadableOutput as problem:
            if attempt >= run.attempts:
                raise
            print(f"attempt {attempt} of {run.attempts}: {problem}", file=sys.stderr, flush=True)
            attempt += 1


def _measurements_of(operation: str, done: subprocess.CompletedProcess[str]) -> list[Measurement]:
    """What a run measured. Raises UnreadableOutput, also for an exit code that the output does not explain."""
    measurements = read_table(operation, done.stdout)
    if done.returncode != 0:
        raise UnreadableOutput(f"nccom-test {operation} ended with exit code {done.returncode}")
    return measurements
