"""Virtual environments of frameworks that do not know the machine's chip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.compatibility.virtual_environments import frameworks_in, knows_none
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.dlami import Dlami
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class VirtualEnvironmentWithoutTheChip(ConfigRule):
    """Some framework in the virtual environment of a workstation runs on its chip.

    Asked with the Neuron SDK release of the image; of an image that `ami_id` pins nobody knows it, and nothing is
    said.

    Without this check AWS reports no error. The machine starts and costs what it costs, and the first model ends in
    the compiler, which does not know the chip.
    """

    id = "E7012"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst, release-notes/components"

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        for workstation in environment.workstations:
            name, dlami, machine = workstation.spec.virtual_environment, workstation.dlami, workstation.instance_type
            if name is None or dlami is None or machine is None or workstation.spec.ami_id is not None:
                continue
            chip = catalog.chip(machine.chip or "")
            is_for_image = machine.family in dlami.families  # else rule E7002
            if chip is None or not is_for_image or not knows_none(name, dlami, chip.name, catalog):
                continue
            others = [each for each in dlami.virtual_environments if not knows_none(each, dlami, chip.name, catalog)]
            held = listed(framework.name for framework in frameworks_in(name, dlami, catalog))
            hints = [f"write {listed(others, 'or')}"] if others else []
            yield Violation(
                (*workstation.path, "virtual_environment"),
                f"virtual_environment is {name}, which holds {held}; with Neuron SDK {dlami.neuron_sdk} that does not "
                f"run on {machine.name} ({chip.title})",
                ", or ".join([*hints, f"take machines of {listed(_families(name, dlami, catalog), 'or')}"]),
            )


def _families(name: str, dlami: Dlami, catalog: Catalog) -> list[str]:
    """Families of machines that the image supports and that the virtual environment runs on."""
    rows = [row for row in catalog.instance_types if row.launchable and row.chip and row.family in dlami.families]
    return list(dict.fromkeys(row.family for row in rows if not knows_none(name, dlami, row.chip or "", catalog)))
