"""Who can do what in an environment: the records that `access` and `report` show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_cluster.access.matrix import AccessMatrix
    from neuron_cluster.opened_environment import OpenedEnvironment
    from neuron_cluster.plan.cluster_plan import ClusterPlan
    from neuron_cluster.plan.kubernetes_access import KubernetesAccess


def access_matrix_of(opened: OpenedEnvironment) -> AccessMatrix:
    """Synthesizes the templates, and decides from them. Raises ``PolicyError`` for a policy that cannot be decided."""
    from neuron_cluster.access.linked_policies import LinkedPolicies
    from neuron_cluster.access.matrix import access_matrix
    from neuron_cluster.access.prefixes import prefixes_of
    from neuron_cluster.deploy.assembly import read_assembly
    from neuron_cluster.deploy.synthesis import private_assembly

    opened.require_images()
    plan = opened.plan
    with private_assembly(opened.project.root, *opened.for_app) as assembly:
        templates = {stack.name: stack.template for stack in read_assembly(assembly)}
    policies = LinkedPolicies(templates, partition=plan.partition, region=plan.region, account=plan.account)
    return access_matrix(policies, prefixes_of(plan), opened.catalog)


def kubernetes_access_of(plan: ClusterPlan) -> Iterator[KubernetesAccess]:
    """None without a cluster."""
    if plan.kubernetes is not None:
        yield from plan.kubernetes.kubernetes_access()
