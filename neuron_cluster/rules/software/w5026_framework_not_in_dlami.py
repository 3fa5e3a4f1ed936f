from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.compatibility.framework_use import FrameworkUse, requested_frameworks
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class FrameworkNotInDlami(Rule):
    """The DLAMI of a workstation includes each framework that only a workstation can run (`neuron.frameworks`).

    Only a warning: you may install it in your own virtual environment. Base AMIs include no framework and are not
    checked, nor are cluster nodes, which run containers.

    Without this check AWS reports no error. The first import on the workstation fails with "No module named".
    """

    id = "W5026"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    proposes = ("virtual_environment",)

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        for group in requested_frameworks(context.environment, context.catalog, context.lock):
            possible = [use for use in group.uses if not use.is_impossible and not use.is_rejected_by_system]
            if not possible or any(use.is_at_home for use in group.uses):
                continue
            hosts = listed(f"dlami {_dlami(use)} of {use.host.name}" for use in possible)
            yield Violation(
                group.path,
                f"{group.framework.name} is not in {hosts}, and no other host of the file has it",
                _way_out(possible[0], _environment(possible[0], config), context.catalog),
            )


def _dlami(use: FrameworkUse) -> str:
    return use.host.dlami.name if use.host.dlami is not None else ""


def _environment(use: FrameworkUse, config: EnvironmentConfig) -> str | None:
    """The virtual environment that the workstation activates."""
    position = use.host.path[1]
    return config.workstations[position].virtual_environment if isinstance(position, int) else None


def _way_out(use: FrameworkUse, environment: str | None, catalog: Catalog) -> str:
    """Kinds of DLAMI for the instance type that include it."""
    rows = [catalog.dlamis.get(kind) for kind in use.framework.virtual_environments]
    holding = [row for row in rows if row is not None and use.host.instance_type.family in row.families]
    alike = [row for row in holding if environment is None or environment in row.virtual_environments]
    if holding:
        without = "" if alike else " and remove virtual_environment"
        names = listed((row.name for row in alike or holding), "or")
        return f"set dlami to {names}{without}, or install it in your own virtual environment"
    return "no DLAMI for this instance type includes it: install it in your own one, or run it in a container"
