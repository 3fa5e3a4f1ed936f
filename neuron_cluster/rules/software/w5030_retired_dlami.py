"""Kinds of image that AWS builds no more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class RetiredDlami(ConfigRule):
    """Every workstation has a kind of DLAMI that AWS still builds.

    Only a warning: the last image of the kind stays, and may be what a framework needs that left the newer ones.

    Without this check AWS reports no error. The SSM parameter goes on giving the last image, without fixes of driver
    and operating system, until one day the image is deregistered and no machine can be made from it.
    """

    id = "W5030"
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/dlamis.rst"
    proposes = ("ami_id",)
    references = ("huggingface/optimum-neuron#572",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for workstation in environment.workstations:
            dlami, row = workstation.dlami, workstation.instance_type
            if dlami is None or dlami.successor is None or row is None:
                continue
            if workstation.spec.ami_id is not None:  # the image is kept, whatever becomes of its kind
                continue
            yield Violation(
                (*workstation.path, "dlami"),
                f"{dlami.name} stays at Neuron SDK {dlami.neuron_sdk}: AWS does not build it any more; its "
                f"successor is {dlami.successor}",
                _way_out(catalog.dlami(dlami.successor), row.family),
            )


def _way_out(successor: Dlami | None, family: str) -> str:
    if successor is not None and family not in successor.families:
        return f"pin ami_id before the image goes; the successor is made for {listed(successor.families)}, not {family}"
    return "set dlami to the successor, or pin ami_id before the image goes"
