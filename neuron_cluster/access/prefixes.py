"""The prefixes of a checkpoint bucket that a report lists."""

from __future__ import annotations

from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX

TEAMS, CHECKPOINTS = "teams/", "checkpoints/"
OTHERS = ""
"""Any other prefix: the root of the bucket stands for it."""


def prefixes_of(plan: ClusterPlan) -> tuple[str, ...]:
    """That of the synchronized folder, the compile cache, one for each namespace of teams, and all others."""
    lustre = plan.storage.lustre if plan.storage is not None else None
    association = lustre.association if lustre is not None else None
    checkpoints = f"{association.prefix}/" if association is not None else CHECKPOINTS
    namespaces = plan.kubernetes.namespaces if plan.kubernetes is not None else ()
    teams = (f"{TEAMS}{namespace.name}/" for namespace in namespaces)
    return tuple(dict.fromkeys((checkpoints, COMPILE_CACHE_PREFIX, *teams, OTHERS)))
