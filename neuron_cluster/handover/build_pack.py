"""The hand-over pack of a team, for each cluster that it uses."""

from __future__ import annotations

from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.handover.cluster_pack import build_cluster_pack
from neuron_cluster.handover.cluster_pages import cluster_pages
from neuron_cluster.handover.kubernetes_pack import build_kubernetes_pack
from neuron_cluster.handover.pack import README, Pack
from neuron_cluster.opened_environment import OpenedEnvironment
from neuron_cluster.plan.team import Team


def build_pack(opened: OpenedEnvironment, team: Team) -> Pack:
    """Returns the pack: a Kubernetes cluster has the top folder, another one a folder with the key of its section.

    Raises ``InvalidEnvironment`` where a job of the pack has an error.
    """
    catalog = load_catalog()
    pages = cluster_pages(opened.plan, team, catalog)
    kubernetes = opened.plan.kubernetes
    packs = {key: build_cluster_pack(opened, team, each) for key, each in pages.items()}
    if kubernetes is None and len(packs) == 1:
        return next(iter(packs.values()))
    whole = Pack(plan=opened.plan, team=team, files={}, jobs={})
    if kubernetes is not None:
        others = {f"{key}/{README}": each.cluster for key, each in pages.items()}
        whole = build_kubernetes_pack(opened, kubernetes, team, catalog, others)
    for key, pack in packs.items():
        whole = _with(whole, key, pack)
    return whole


def _with(whole: Pack, folder: str, pack: Pack) -> Pack:
    return replace(
        whole,
        files={**whole.files, **{f"{folder}/{name}": text for name, text in pack.files.items()}},
        jobs={**whole.jobs, **{f"{folder}/{name}": job for name, job in pack.jobs.items()}},
    )
