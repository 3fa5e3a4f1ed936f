"""One home on two machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class HomeOfTwoWorkstations(ConfigRule):
    """A home is mounted on one workstation at most.

    Without it: EC2 refuses the second attachment with VolumeInUse; who comes first has the home, and the other machine
    tries for ever.
    """

    id = "E7006"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_AttachVolume.html"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        del catalog
        seen: dict[str, int] = {}
        for position, workstation in enumerate(environment.workstations):
            home = workstation.spec.home
            if home is not None and (first := seen.setdefault(home, position)) < position:
                yield Violation(
                    (*workstation.path, "home"),
                    f"home is {home}, which is mounted on workstations[{first}] already",
                    "add a home of its own to storage.homes, and name it here",
                )
