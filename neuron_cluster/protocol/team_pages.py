"""Pages that `onboard` writes for members of a team on a cluster without Kubernetes."""

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
    """Values that a member sets before the job starts; empty where it starts as it is."""


class MissingScript(Struct, frozen=True, kw_only=True):
    """A starter job that the environment cannot run."""

    file_name: str
    causes: tuple[str, ...]
    """Causes of the failure, for members."""
    reasons: tuple[str, ...]
    """Causes of the failure with the keys that an administrator sets."""


class TeamPages(Struct, frozen=True, kw_only=True):
    """Sections are in the order in which a new member needs them, after those about people and the sign-in to AWS."""

    cluster: str
    """Its kind, name and version, in a sentence: ``the cluster `train` (Kubernetes 1.35)``."""
    sections: tuple[Section, ...]
    commands_are_for: str
    """Where the commands of the runbook run, as a sentence."""
    options_note: str
    """Options of `workload render` that a member may want, as a sentence."""
    scripts: tuple[StarterScript | MissingScript, ...]
    failures: tuple[Section, ...]
    """Sections of the runbook, one for each failure."""
    departure: TeamDeparture
