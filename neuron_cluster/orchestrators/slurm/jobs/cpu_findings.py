"""CPUs that a job requests of each node."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.orchestrators.jobs import JobFinding
from neuron_cluster.orchestrators.slurm.jobs.finding_specs import AMOUNT
from neuron_cluster.orchestrators.slurm.plan.slurm_plan import SlurmGroupPlan

CPUS_PER_TASK, TASKS_PER_NODE = "--cpus-per-task", "--ntasks-per-node"
_COUNT = re.compile(r"[0-9]{1,9}")


def cores(vcpus: int, catalog: Catalog) -> int:
    """CPUs of a node in Slurm: PCS turns off all threads of a core but one.

    Source: https://docs.aws.amazon.com/pcs/latest/userguide/working-with_launch-templates.html (ThreadsPerCore)
    """
    return vcpus // catalog.limit("vcpus_per_core").require_maximum()


def cpu_findings(group: SlurmGroupPlan, directives: Mapping[str, str], catalog: Catalog) -> Iterator[JobFinding]:
    """``directives``: values of the options of sbatch that the script has."""
    counts = [directives.get(name, "1") for name in (CPUS_PER_TASK, TASKS_PER_NODE)]
    row = catalog.instance_type(group.machine.instance_type)
    if row is None or row.vcpus is None or not all(_COUNT.fullmatch(count) for count in counts):
        return
    requested, most = prod(map(int, counts)), cores(row.vcpus, catalog)
    if requested > most:
        message = (
            f"{requested} CPUs of a node are requested, but {group.name} ({row.name}) has {most}, one for each core"
        )
        yield JobFinding(AMOUNT, "--sbatch", message, f"request {most} at most: {CPUS_PER_TASK} x {TASKS_PER_NODE}")
