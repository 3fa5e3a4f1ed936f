"""Kinds of image that the catalog does not know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.suggestions import did_you_mean
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class UnknownDlami(ConfigRule):
    """The image of a workstation is a kind that the catalog knows.

    Login user, root device, virtual environments and the parameter with the image's id come from its row.

    Without this check EC2 rejects the launch, because the SSM parameter of the image does not exist; or the machine
    starts and nobody can log in as the user that was meant.
    """

    id = "E7001"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    references = ("aws-neuron/aws-neuron-sdk#812",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for workstation in environment.workstations:
            name = workstation.spec.dlami
            if workstation.dlami is None:
                yield Violation(
                    (*workstation.path, "dlami"),
                    f"dlami is {name}, which the catalog does not know",
                    f"{did_you_mean(catalog.near_dlamis(name))}`neuron-cluster catalog dlamis` lists the known ones",
                )
