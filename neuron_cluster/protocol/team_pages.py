"""What members of a team need on a cluster without Kubernetes, for the pages that `onboard` writes."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.pages.document import Section
from neuron_cluster.protocol.team_departure import TeamDeparture


class StarterScript(Struct, frozen=True, kw_only=True):
    """A starter job from one of the jobs of the provider."""

    job: str
    """Name for `workload render`."""
    file_name: str
    text: str
    options: tuple[str, ...]
    """Words with which `workload render` prints the same script."""
    group: str
    queue: str
    nodes: int
    devices: int
    """Neuron devices of each node."""
    note: str = ""
    """What a member sets before it starts; empty where it starts as it is."""


class MissingScript(Struct, frozen=True, kw_only=True):
    """A starter job that the environment cannot run."""

    file_name: str
    causes: tuple[str, ...]
    """For members."""
    reasons: tuple[str, ...]
    """With what an administrator sets."""


class TeamPages(Struct, frozen=True, kw_only=True):
    """Sections are in the order in which a new member needs them, after those about people and the sign-in to AWS."""

    cluster: str
    """Its kind, name and version, in a sentence: ``the cluster `train` (Kubernetes 1.35)``."""
    sections: tuple[Section, ...]
    scripts: tuple[StarterScript | MissingScript, ...]
    failures: tuple[Section, ...]
    """Of the runbook."""
    departure: TeamDeparture
