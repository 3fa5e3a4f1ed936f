"""The findings about a job for an environment with Slurm."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

(
    GROUP,
    QUEUE,
    AMOUNT,
    INPUT,
    TIME,
    NO_ENVIRONMENT,
    OTHER_NODES,
    NO_CREDENTIALS,
    FRAMEWORK,
    RETIRED_FRAMEWORK,
    UNKNOWN_AMOUNT,
    WITHOUT_EFFECT,
) = (
    "E9411",
    "E9412",
    "E9413",
    "E9414",
    "E9415",
    "W9416",
    "W9417",
    "W9418",
    "E9419",
    "W9420",
    "W9421",
    "W9462",
)

ROWS = {
    GROUP: (
        "The job has one compute node group with Neuron devices (`--group`).",
        "Groups differ in instance type, capacity and price: where several fit, the choice is the user's.",
    ),
    QUEUE: (
        "The queue is one of the environment, and has the group (`--queue`).",
        "Slurm rejects a job for an unknown partition; in a queue without the group it would start on other nodes.",
    ),
    AMOUNT: (
        (
            "The group can have the nodes of the job, with their features and names, and each node its Neuron devices, "
            "CPUs, memory and disk space (`--nodes`, `--devices`, `--sbatch`)."
        ),
        (
            "Slurm rejects a job that no node can run, or leaves it pending with PartitionConfig or BadConstraints. A "
            "job with whole nodes has all of their devices."
        ),
    ),
    INPUT: (
        (
            "The job has the program and the variables that its script reads, and options that sbatch reads (`--run`, "
            "`--variable`, `--sbatch`)."
        ),
        (
            "Without them the script ends at once, on nodes that have been started for it; sbatch rejects a job with "
            "an option that it does not read."
        ),
    ),
    TIME: (
        (
            "The time limit has a form of Slurm, is within MaxTime of the queue, and longer than the time before it at "
            "which the job is signalled (`--time`, `--sbatch`)."
        ),
        (
            "A job above MaxTime remains pending with PartitionTimeLimit. One that is signalled when it starts is "
            "requeued again and again, and does not get to its first checkpoint."
        ),
    ),
    NO_ENVIRONMENT: (
        "The machine image has a Python environment for the job.",
        "Without one, and without VIRTUAL_ENVIRONMENT, the job uses the programs of the search path.",
    ),
    OTHER_NODES: (
        "No other group of the queue has the Neuron devices of the job (`--group`).",
        (
            "Slurm selects nodes by queue and type of devices. Nodes of another group may have another price or zone, "
            "and EFA does not connect nodes of two zones."
        ),
    ),
    NO_CREDENTIALS: (
        "A job that uses S3 has credentials (`--variable`).",
        (
            "With teams, or without a checkpoint bucket, root alone has those of the node: the program ends with "
            "`Unable to locate credentials`, on nodes that have been started for it."
        ),
    ),
    FRAMEWORK: (
        "A framework of the job runs on the Neuron chip of the group, with the Neuron SDK of the file (`--group`).",
        (
            "The framework does not find its devices, or its packages are not in the machine image: the job ends when "
            "it imports them, on nodes that have been started for it."
        ),
    ),
    UNKNOWN_AMOUNT: (
        "A job requests memory and disk space that nodes have for certain (`--sbatch`).",
        (
            "PCS decides RealMemory and TmpDisk of nodes where the file has no setting: above them sbatch rejects the "
            'job with "Requested node configuration is not available".'
        ),
    ),
    WITHOUT_EFFECT: (
        "Slurm and the environment have what options and variables of sbatch need (`--sbatch`, `--variable`).",
        (
            "sbatch rejects a job whose reservation or plugin it does not know, and reads its own variables before the "
            "script sets them."
        ),
    ),
    RETIRED_FRAMEWORK: (
        "The Python environment of the job has a release whose frameworks run on the Neuron chip (`--variable`).",
        "AWS has ended its support: packages of a newer release do not run there, and older ones get no corrections.",
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("94: files for other tools, and jobs of Slurm", "a job for the environment", ROWS)
