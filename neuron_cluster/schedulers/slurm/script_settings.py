"""Settings of Slurm that make it run the scripts of a node. PCS takes each of them as a custom setting of the cluster.

Source: https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html
"""

from __future__ import annotations

FOLDER = "/opt/neuron-cluster"
"""The folder of a node with all files of the toolkit."""
SLURM = "slurm"
"""The folder below it with the scripts that Slurm runs."""
HEALTH_CHECK_SECONDS = 300
FIXED = ("Prolog", "PrologFlags", "Epilog", "TaskProlog", "HealthCheckProgram", "HealthCheckNodeState")
"""Settings that no file changes: a node would run other scripts than those that it has."""
LISTS = ("SchedulerParameters",)
"""Settings of values with commas between: those of the file come behind the toolkit's."""


def script_settings(folder: str = f"{FOLDER}/{SLURM}") -> dict[str, str]:
    """Settings of slurm.conf by name, for scripts in this folder.

    A node without such a file fails every job (``Prolog``), so all nodes have them, login nodes too.
    """
    return {
        "Prolog": f"{folder}/prolog.sh",
        # PCS enables the step manager, without Contain slurmctld does not start:
        # https://docs.aws.amazon.com/pcs/latest/userguide/slurm-versions_release-notes.html (24.05);
        # SchedMD/slurm@284c3b9: src/slurmctld/read_config.c
        "PrologFlags": "Alloc,Contain",
        "Epilog": f"{folder}/epilog.sh",
        "TaskProlog": f"{folder}/task_prolog.sh",
        "HealthCheckProgram": f"{folder}/health_check.sh",
        "HealthCheckInterval": str(HEALTH_CHECK_SECONDS),
        "HealthCheckNodeState": "ANY",
        "JobRequeue": "1",
        # A job whose prolog failed goes to another node; without it the job is held.
        "SchedulerParameters": "nohold_on_prolog_fail",
    }


def merged_list(first: str, second: str) -> str:
    """Values with commas between; one of the second that the first has too counts once."""
    values = first.split(",")
    return ",".join([*values, *(value for value in second.split(",") if value not in values)])
