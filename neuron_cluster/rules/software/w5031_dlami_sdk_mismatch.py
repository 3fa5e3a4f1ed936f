"""Workstations with another Neuron SDK release than the environment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.catalog.version import version_key
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.workstation import WorkstationGroup
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.resolved.resolved_environment import ResolvedEnvironment


class DlamiSdkMismatch(ConfigRule):
    """Workstations and environment have the same Neuron SDK release (`dlami`).

    A kind of DLAMI that AWS still builds changes to each new release: it is compared where neuron.sdk is older, or
    where the kind is retired. AMIs that are pinned by ami_id can have any release and are not compared.

    Without this check AWS reports no error. Models are compiled and tested on the workstation with another compiler
    and runtime than on the nodes.
    """

    id = "W5031"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("ami_id", "virtual_environment")
    references = ("aws-neuron/aws-neuron-sdk#812",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        for workstation in environment.workstations:
            if workstation.dlami is None or workstation.spec.ami_id is not None:
                continue
            if _differs(workstation.dlami, config.neuron.sdk):
                yield Violation(
                    (*workstation.path, "dlami"),
                    f"{workstation.dlami.name} of {workstation.name} has Neuron SDK {workstation.dlami.neuron_sdk}, "
                    f"but neuron.sdk is {config.neuron.sdk}",
                    _way_out(workstation, workstation.dlami, config.neuron.sdk, catalog),
                )


def _differs(dlami: Dlami, release: str) -> bool:
    """Whether it is certain that the newest image of the kind is of another release."""
    key, own = version_key(release), version_key(dlami.neuron_sdk)
    return key < own or (key > own and dlami.successor is not None)


def _way_out(workstation: WorkstationGroup, dlami: Dlami, release: str, catalog: Catalog) -> str:
    same = [row for row in catalog.dlamis if row.neuron_sdk == release and set(row.families) & set(dlami.families)]
    environment = workstation.spec.virtual_environment
    alike = [row for row in same if environment is None or environment in row.virtual_environments]
    without = "" if alike else " and remove virtual_environment"
    other = f"set dlami to {listed((row.name for row in alike or same), 'or')}{without}, or " if same else ""
    return f"{other}set neuron.sdk to {dlami.neuron_sdk}, or pin an image of {release} with ami_id"
