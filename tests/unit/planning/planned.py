"""One node group of given machines, as the plan decides it."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.machine import Machine
from neuron_cluster.plan.compute_group_plan import BootstrapPlan
from neuron_cluster.plan.machine_plan import MachinePlan
from neuron_cluster.planning.build_machine import build_machine
from neuron_cluster.providers.eks.plan.build_bootstrap import build_bootstrap
from neuron_cluster.providers.eks.plan.build_node_group import SECURITY_GROUPS, ami_type_of
from tests.unit.resolved.resolved_file import group_of


def machine_of(spec: Machine) -> MachinePlan:
    catalog, group = load_catalog(), group_of(spec)
    return build_machine(group, "us-west-2", catalog, SECURITY_GROUPS)


def bootstrap_of(spec: Machine) -> BootstrapPlan:
    catalog, group = load_catalog(), group_of(spec)
    return build_bootstrap(group, machine_of(spec), ami_type_of(group, catalog), catalog)
