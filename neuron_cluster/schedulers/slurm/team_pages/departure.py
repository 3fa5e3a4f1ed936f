"""Data of a team that stays on Slurm nodes when it leaves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.protocol.team_departure import DepartureStep, Part, TeamDeparture
from neuron_cluster.schedulers.slurm.team_pages.files_section import shared_folder

if TYPE_CHECKING:
    from neuron_cluster.schedulers.slurm.cluster import SlurmCluster
    from neuron_cluster.schedulers.slurm.node_start_plan import PosixUser

REPLACED = "nodes are replaced without it when their jobs end, login nodes with the sessions on them"


def slurm_departure(slurm: SlurmCluster, user: PosixUser) -> TeamDeparture:
    return TeamDeparture(
        removed=(Part("user of Slurm nodes", user.name, REPLACED),),
        kept=(*_files(slurm, user), *_accounts(slurm, user)),
        before=(_jobs(slurm, user),),
        after=tuple(_deletions(slurm, user)),
    )


def _files(slurm: SlurmCluster, user: PosixUser) -> Iterator[Part]:
    folder = shared_folder(slurm, user)
    if folder is not None:
        yield Part("home directory" if folder == user.home else "folder on EFS", folder, "all files")


def _accounts(slurm: SlurmCluster, user: PosixUser) -> Iterator[Part]:
    if slurm.has_accounting:
        yield Part("user of Slurm accounting", user.name, "with its records, where an administrator has created it")


def _jobs(slurm: SlurmCluster, user: PosixUser) -> DepartureStep:
    folder = slurm.login.start.node.slurm_commands
    return DepartureStep(
        "See what still runs, in a session of an administrator on a login node, and end it: a job that starts later "
        "finds no user.",
        (f"{folder}/squeue --user={user.name}", f"sudo {folder}/scancel --user={user.name}"),
    )


def _deletions(slurm: SlurmCluster, user: PosixUser) -> Iterator[DepartureStep]:
    folder = slurm.login.start.node.slurm_commands
    if slurm.has_accounting:
        yield DepartureStep(
            "Delete the user of Slurm accounting there, if there is one.",
            (f"sudo {folder}/sacctmgr --immediate delete user {user.name}",),
        )
    for part in _files(slurm, user):
        yield DepartureStep(f"Delete the {part.kind} there.", (f"sudo rm -r {part.name}",), deletes_data=True)
