"""Prefixes of the checkpoint bucket, and who has access to those of a namespace."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.checkpoints.golden import GOLDEN_PREFIX
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.compile_cache_plan import COMPILE_CACHE_PREFIX

TEAMS, CHECKPOINTS, DATASETS_PREFIX = "teams/", "checkpoints/", "datasets/"
SHARED_PREFIXES = (GOLDEN_PREFIX, DATASETS_PREFIX, COMPILE_CACHE_PREFIX)
"""Every role of a namespace reads them, and none writes to them."""


class BucketAccessPlan(Struct, frozen=True):
    """The role of one service account."""

    path: KeyPath
    service_account: str
    prefix: str
    """Below which it reads; ends in a slash."""
    writes: bool
    """Whether it also creates, overwrites and deletes objects there."""
    is_of_job: bool = False
    """Whether the prefix is that of the checkpoints of one job."""


def team_prefix(namespace: str) -> str:
    """Returns the prefix of a namespace, with a slash at its end."""
    return f"{TEAMS}{namespace}/"


def checkpoint_prefix(namespace: str, job: str) -> str:
    """Returns the prefix of the checkpoints of a job, with a slash at its end."""
    return f"{team_prefix(namespace)}{CHECKPOINTS}{job}/"
