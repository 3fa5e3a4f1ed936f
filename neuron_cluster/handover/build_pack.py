"""The hand-over pack of a team, for each cluster that it uses."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.handover.cluster_pack import build_cluster_pack
from neuron_cluster.handover.cluster_pages import cluster_pages
from neuron_cluster.handover.command_place import command_place
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.team import Team
from neuron_cluster.protocol.registry import schedulers_of
from neuron_cluster.protocol.team_pack import README, Pack


def build_pack(opened: OpenedEnvironment, team: Team) -> Pack:
    """Returns the pack: a Kubernetes cluster has the top folder, another one a folder with the key of its section.

    Raises ``InvalidEnvironment`` where a job of the pack has an error.
    """
    catalog, plan = opened.catalog, opened.plan
    pages = cluster_pages(plan, team, catalog)
    packs = {key: build_cluster_pack(opened, team, each) for key, each in pages.items()}
    others = {f"{key}/{README}": each.cluster for key, each in pages.items()}
    place = command_place(opened)
    found = (scheduler.team_pack(opened, team, catalog, place, others) for scheduler in schedulers_of(plan))
    own = next(filter(None, found), None)
    if own is None and len(packs) == 1:
        return next(iter(packs.values()))
    whole = own or Pack(plan=plan, team=team, files={}, jobs={})
    for key, pack in packs.items():
        whole = _with(whole, key, pack)
    return whole


def _with(whole: Pack, folder: str, pack: Pack) -> Pack:
    return replace(
        whole,
        files={**whole.files, **{f"{folder}/{name}": text for name, text in pack.files.items()}},
        jobs={**whole.jobs, **{f"{folder}/{name}": job for name, job in pack.jobs.items()}},
    )
