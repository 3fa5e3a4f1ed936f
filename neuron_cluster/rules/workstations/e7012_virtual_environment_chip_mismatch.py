from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.compatibility.virtual_environments import frameworks_in, knows_none
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class VirtualEnvironmentChipMismatch(Rule):
    """A framework of the virtual environment supports the workstation's Neuron chip (`virtual_environment`).

    Checked with the Neuron SDK release of the AMI; not checked where `ami_id` pins an AMI, because its release is
    unknown.

    Without this check AWS reports no error. The instance starts and is billed, and compiling the first model fails,
    because the compiler does not support the Neuron chip.
    """

    id = "E7012"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst, release-notes/components"

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for workstation in context.environment.workstations:
            name, dlami, machine = workstation.spec.virtual_environment, workstation.dlami, workstation.instance_type
            if name is None or dlami is None or machine is None or workstation.spec.ami_id is not None:
                continue
            chip = catalog.chips.get(machine.chip or "")
            is_for_image = machine.family in dlami.families  # else rule E7002
            if chip is None or not is_for_image or not knows_none(name, dlami, chip.name, catalog):
                continue
            others = [each for each in dlami.virtual_environments if not knows_none(each, dlami, chip.name, catalog)]
            held = listed(framework.name for framework in frameworks_in(name, dlami, catalog))
            hints = [f"write {listed(others, 'or')}"] if others else []
            yield Violation(
                (*workstation.path, "virtual_environment"),
                f"virtual_environment is {name}, which has {held}; with Neuron SDK {dlami.neuron_sdk} that does not "
                f"run on {machine.name} ({chip.title})",
                ", or ".join([*hints, f"use an instance type of {listed(_families(name, dlami, catalog), 'or')}"]),
            )


def _families(name: str, dlami: Dlami, catalog: Catalog) -> list[str]:
    """Instance families that the AMI supports and that the virtual environment runs on."""
    rows = [row for row in catalog.instance_types if row.launchable and row.chip and row.family in dlami.families]
    return list(dict.fromkeys(row.family for row in rows if not knows_none(name, dlami, row.chip or "", catalog)))
