"""Charts in a namespace of a team: values that leave out what its members may not create, and what is left of that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.api_resources import is_cluster_scoped
from local_kubernetes.model.authorization import allows, resource_of_kind
from local_kubernetes.model.chart_values import value_at
from local_kubernetes.model.objects import KubernetesObject
from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.team_roles import operator_role, role
from neuron_cluster.schedulers.kubernetes.workloads.findings import finding
from neuron_cluster.schedulers.kubernetes.workloads.options import WorkloadOptions

NOT_ALLOWED = "W9273"
WITHOUT_OWN_ACCESS: Mapping[str, Mapping[str, Any]] = {
    "serviceAccount": {"create": False},
    "networkPolicy": {"enabled": False},
}
"""The namespace of a team has accounts of the file and network policies of its own."""
SWITCHES: Mapping[str, str] = {
    "ServiceAccount": "serviceAccount.create",
    "NetworkPolicy": "networkPolicy.enabled",
    "PodMonitor": "podMonitor.enabled",
    "ScaledObject": "autoscaling.enabled",
    "Ingress": "gateway.enabled",
    "HTTPRoute": "gateway.enabled",
}
"""The value of the charts that creates objects of the kind."""


class NotAllowed(Struct, frozen=True):
    """An object that no member of the team may create; ``operators`` may, or else administrators alone."""

    owner: KubernetesObject
    resource: str
    """As `kubectl auth can-i` takes it: ``networkpolicies.networking.k8s.io``."""
    operators: bool


def team_of(cluster: KubernetesPlan, namespace: str) -> Team | None:
    """The team of a namespace; None where no team has it."""
    return next((each for each in cluster.teams if namespace in each.namespaces), None)


def team_values(
    cluster: KubernetesPlan, namespace: str, options: WorkloadOptions, defaults: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Nothing outside of namespaces of teams, and for no value that the user sets."""
    if team_of(cluster, namespace) is None:
        return {}
    return {
        key: dict(values)
        for key, values in WITHOUT_OWN_ACCESS.items()
        if key in defaults and not any(options.sets(f"{key}.{each}") for each in values)
    }


def not_allowed(objects: Sequence[Mapping[str, Any]], cluster: KubernetesPlan, namespace: str) -> Iterator[NotAllowed]:
    """Yields the objects that the Roles of the namespace do not allow; nothing where no team has it."""
    team = team_of(cluster, namespace)
    member, operator = role(namespace)["rules"], operator_role(namespace)["rules"]
    for body in objects if team is not None else ():
        owner = KubernetesObject(body, namespace)
        group, resource = owner.api_group, resource_of_kind(owner.api_group, owner.kind)
        is_wider = is_cluster_scoped(body)
        if is_wider or not allows(member, "create", group, resource):
            may = not is_wider and bool(team and team.operators) and allows(operator, "create", group, resource)
            yield NotAllowed(owner, f"{resource}.{group}" if group else resource, may)


def refused_finding(found: NotAllowed, chart: str, namespace: str) -> Finding:
    """E9275: the API server answers that the user may not create the object."""
    owner = found.owner
    message = f"the user of the context may not create {owner.kind} {owner.name} in namespace {namespace}"
    who = "an operator of the team" if found.operators else "an administrator"
    off = f"set {SWITCHES[owner.kind]}=false, or " if owner.kind in SWITCHES else ""
    return finding("E9275", chart, owner.kind, message, f"{off}have it submitted by {who}")


def permission_findings(
    objects: Sequence[Mapping[str, Any]],
    cluster: KubernetesPlan,
    defaults: Mapping[str, Any],
    *,
    chart: str,
    namespace: str,
) -> Iterator[Finding]:
    """W9273, for what operators may create and for what administrators alone may: helm stops at the first object that
    its user may not create, and leaves a failed release."""
    found = list(not_allowed(objects, cluster, namespace))
    for operators in (True, False):
        refused = [each.owner for each in found if each.operators is operators]
        if not refused:
            continue
        names = listed([f"{each.kind} {each.name}" for each in refused])
        who = "operators" if operators else "an administrator"
        message = f"no member of the team may create {names} in namespace {namespace}: helm fails at it"
        switches = dict.fromkeys(SWITCHES[each.kind] for each in refused if each.kind in SWITCHES)
        off = [f"{key}=false" for key in switches if value_at(defaults, key) is not None]
        without = f"set {listed(off)}, or " if off and all(each.kind in SWITCHES for each in refused) else ""
        yield finding(NOT_ALLOWED, chart, refused[0].kind, message, f"{without}have it submitted by {who}")
