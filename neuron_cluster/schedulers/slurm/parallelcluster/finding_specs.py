"""The findings about an environment as configuration of ParallelCluster."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

NO_SLURM, SHAPE, LIMIT, NOT_EXPRESSED = "E9401", "E9402", "E9403", "W9404"

ROWS = {
    NO_SLURM: (
        "The environment has a Slurm cluster (`synth --format parallelcluster`).",
        "ParallelCluster runs Slurm: the section `slurm` becomes its head node, login nodes and queues.",
    ),
    SHAPE: (
        (
            "Each group is in one queue, and the groups of a queue have one purchase option and the same zones "
            "(`synth --format parallelcluster`)."
        ),
        (
            "ParallelCluster sets purchase option and subnets for a queue, and a compute resource belongs to one "
            "queue: a group in two queues would become twice as many instances."
        ),
    ),
    LIMIT: (
        (
            "ParallelCluster supports the Region, the operating system, names, sizes and counts of the environment "
            "(`synth --format parallelcluster`)."
        ),
        "`pcluster create-cluster` would reject the configuration; `neuron-cluster catalog parallelcluster` has them.",
    ),
    NOT_EXPRESSED: (
        "The configuration of ParallelCluster holds everything that the environment decides about Slurm.",
        "A warning names each part that it does not hold: the cluster of ParallelCluster will not have it.",
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("94: files for other tools, and jobs of Slurm", "the plan", ROWS)
