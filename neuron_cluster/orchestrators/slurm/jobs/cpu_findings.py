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


def cpu_findings(group: SlurmGroupPlan, directives: Mapping[str, str], catalog: Catalog) -> Iterator[JobFinding]:
    """CPUs of Slurm, which are cores on PCS. ``directives``: values of the options of sbatch that the script has.

    Source: https://docs.aws.amazon.com/pcs/latest/userguide/working-with_launch-templates.html (ThreadsPerCore)
    """
    counts = [directives.get(name, "1") for name in (CPUS_PER_TASK, TASKS_PER_NODE)]
    row = catalog.instance_type(group.machine.instance_type)
    if row is None or row.vcpus is None or not all(_COUNT.fullmatch(count) for count in counts):
        return
    requested, cores = prod(map(int, counts)), row.vcpus // catalog.limit("vcpus_per_core").require_maximum()
    if requested > cores:
        message = (
            f"{requested} CPUs of a node are requested, but {group.name} ({row.name}) has {cores}, one for each core"
        )
        yield JobFinding(AMOUNT, "--sbatch", message, f"request {cores} at most: {CPUS_PER_TASK} x {TASKS_PER_NODE}")
