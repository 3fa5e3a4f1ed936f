from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami
from neuron_cluster.compatibility.framework_use import FrameworkUse, requested_frameworks
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class FrameworkIncompatibleWithHostOs(Rule):
    """The operating system of some host supports every framework (`neuron.frameworks`).

    PyTorch 2.9 and later, and vLLM, require a newer GLIBC than Amazon Linux 2023 has. Containers include their own
    operating system, so cluster nodes are not checked; a workstation is not checked either where another host of the
    file can run the framework.

    Without this check AWS reports no error. The instance starts, and importing the framework fails with "version
    GLIBC_2.35 not found".
    """

    id = "E5025"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/dlamis.rst (2.27.1)"

    def check(self, context: RuleContext) -> Violations:
        for group in requested_frameworks(context.environment, context.catalog, context.lock):
            rejected = [use for use in group.uses if not use.is_impossible and use.is_rejected_by_system]
            if rejected and not any(use.is_at_home for use in group.uses):
                hosts = listed(f"{use.host.name} (dlami {_dlami(use)})" for use in rejected)
                first = rejected[0]
                system = first.host.dlami.operating_system if first.host.dlami is not None else ""
                yield Violation(
                    group.path,
                    f"{group.framework.name} of Neuron SDK {first.sdk} requires a newer GLIBC than {system} has, which "
                    f"is the operating system of {hosts}",
                    _way_out(first, context.catalog),
                )


def _dlami(use: FrameworkUse) -> str:
    return use.host.dlami.name if use.host.dlami is not None else ""


def _way_out(use: FrameworkUse, catalog: Catalog) -> str:
    """Kinds of DLAMI that include it, else the base DLAMI of another operating system."""
    family = use.host.instance_type.family
    holding = [kind for kind in use.framework.virtual_environments if _supports(catalog.dlamis.get(kind), family)]
    if holding:
        return f"set dlami to {listed(holding, 'or')}, or run it in a container"
    excluded = use.support.excluded_operating_systems if use.support is not None else ()
    bare = [row.name for row in catalog.dlamis if not row.virtual_environments and _supports(row, family)]
    fitting = [name for name in bare if (row := catalog.dlamis.get(name)) and row.operating_system not in excluded]
    other = f"set dlami to {listed(fitting, 'or')} and install it there, or " if fitting else ""
    return f"{other}run it in a container"


def _supports(dlami: Dlami | None, family: str) -> bool:
    return dlami is not None and family in dlami.families
