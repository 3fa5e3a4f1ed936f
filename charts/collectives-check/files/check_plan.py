"""What the chart wrote down for this Job: files/run_check.py reads it from the mounted plan.json."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from collectives_report import Floor, read_floors


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One operation over some nodes, whose addresses are empty for a single node, from one size to another."""

    operation: str
    addresses: Sequence[str]
    min_bytes: int
    max_bytes: int
    attempts: int
    timeout_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPlan:
    """Sizes in bytes, times in seconds. ``hosts`` are the names of the pods in order of their index."""

    name: str
    job: str
    ultraserver_size: int
    """Nodes of an UltraServer that work together over NeuronLink; 0: EFA alone."""
    labels: Mapping[str, str]
    hosts: tuple[str, ...]
    ranks: int
    operations: tuple[str, ...]
    min_bytes: int
    max_bytes: int
    step_factor: int
    data_type: str
    iterations: int
    warmup_iterations: int
    check_data: bool
    attempts: int
    ssh_port: int
    root_communication_port: int
    start_timeout_seconds: int
    operation_timeout_seconds: int
    pairs_seconds: int
    pushgateway_url: str
    floors: tuple[Floor, ...]

    @property
    def several_nodes(self) -> bool:
        return len(self.hosts) > 1

    def run(self, operation: str, addresses: Sequence[str]) -> Run:
        """An operation over all nodes and sizes."""
        return Run(
            operation=operation,
            addresses=addresses,
            min_bytes=self.min_bytes,
            max_bytes=self.max_bytes,
            attempts=self.attempts,
            timeout_seconds=self.operation_timeout_seconds,
        )

    def command(self, run: Run, own_address: str) -> list[str]:
        """The command line of nccom-test.

        Options: aws-neuron/aws-neuron-sdk:tools/neuron-sys-tools/nccom-test.rst@81ce03a.
        """
        nodes = len(run.addresses) or 1
        workers = self.ranks // len(self.hosts) * nodes
        words = ["nccom-test", run.operation, "--nworkers", str(workers), "--nnodes", str(nodes)]
        words += ["--minbytes", str(run.min_bytes), "--maxbytes", str(run.max_bytes)]
        words += ["--stepfactor", str(self.step_factor), "--datatype", self.data_type]
        words += ["--iters", str(self.iterations), "--warmup_iters", str(self.warmup_iterations)]
        words += ["--check"] if self.check_data else []
        words += ["--non-interactive"]
        if run.addresses:
            words += ["--data-collector-host", own_address, "--hosts", *run.addresses]
        return words


def read_plan(path: Path) -> CheckPlan:
    """The plan in this file. The chart's schema has checked the values that it is made of."""
    document = json.loads(path.read_text())
    return CheckPlan(
        **document
        | {
            "hosts": tuple(document["hosts"]),
            "operations": tuple(document["operations"]),
            "floors": tuple(read_floors(document["floors"])),
        }
    )
