"""Rights that the programs of a container need and its pod lacks: user, capabilities, API server, egress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_kubernetes.model.fields import at, items
from local_kubernetes.model.pod_templates import PodTemplate
from local_kubernetes.model.release import Release
from local_kubernetes.model.selectors import selects
from neuron_cluster.catalog.program_need import Egress, ProgramNeed
from neuron_cluster.schedulers.kubernetes.software.team_network import POD_IDENTITY
from neuron_cluster.schedulers.kubernetes.workloads.programs.written_folders import ROOT, user_of

PORTS: Mapping[Egress, tuple[tuple[str, int], ...]] = {
    "dns": (("UDP", 53), ("TCP", 53)),
    "https": (("TCP", 443),),
    "pod_identity": (("TCP", 80),),
}


def missing_rights(
    need: ProgramNeed, body: Mapping[str, Any], template: PodTemplate, release: Release
) -> Iterator[str]:
    """Yields each missing right in a few words."""
    if need.user == "root" and user_of(body, template) not in (None, ROOT):
        yield f"runs as user {user_of(body, template)}, and needs root"
    added = set(items(at(body, "securityContext", "capabilities", "add")))
    dropped = set(items(at(body, "securityContext", "capabilities", "drop")))
    for capability in need.capabilities:
        if capability not in added and dropped & {"ALL", capability}:
            yield f"lacks the capability {capability}"
    yield from _against_api_server(need, template, release)
    policies = [each for each in _policies(template, release) if "Egress" in items(at(each, "policyTypes"))]
    for target in need.egress:
        if policies and not any(_allows(rule, target, template) for each in policies for rule in items(each["egress"])):
            yield f"no NetworkPolicy allows {target.replace('_', ' ')} as egress"


def _against_api_server(need: ProgramNeed, template: PodTemplate, release: Release) -> Iterator[str]:
    account = at(template.spec, "serviceAccountName") or "default"
    if need.api and at(template.spec, "automountServiceAccountToken") is False:
        yield "mounts no token of its service account"
    allowed = {
        (str(resource), str(verb))
        for binding in release.of_kind("RoleBinding", "ClusterRoleBinding")
        if any(at(each, "name") == account for each in items(at(binding.body, "subjects")))
        for role in release.of_kind("Role", "ClusterRole")
        if role.name == at(binding.body, "roleRef", "name")
        for rule in items(at(role.body, "rules"))
        for resource in items(at(rule, "resources"))
        for verb in items(at(rule, "verbs"))
    }
    for resource, verbs in need.api.items():
        for verb in verbs:
            if (resource, verb) not in allowed:
                yield f"its service account {account} may not {verb} {resource}"


def _policies(template: PodTemplate, release: Release) -> Iterator[Any]:
    for policy in release.of_kind("NetworkPolicy"):
        is_here = policy.namespace == template.owner.namespace
        if is_here and selects(at(policy.body, "spec", "podSelector"), template):
            yield at(policy.body, "spec")


def _allows(rule: Any, target: Egress, template: PodTemplate) -> bool:
    """One rule of egress. DNS and HTTPS go to any address; a rule with ``to`` counts by its block."""
    targets = items(at(rule, "to"))
    if target == "own_pods":
        selectors = [at(each, "podSelector") for each in targets]
        return not items(at(rule, "ports")) and (not targets or any(selects(each, template) for each in selectors))
    if target == "pod_identity":
        blocks = [at(each, "ipBlock", "cidr") for each in targets]
        return (not targets or POD_IDENTITY in blocks) and _has_ports(rule, target)
    return not targets and _has_ports(rule, target)


def _has_ports(rule: Any, target: Egress) -> bool:
    given = {(at(each, "protocol") or "TCP", at(each, "port")) for each in items(at(rule, "ports"))}
    return not given or set(PORTS[target]) <= given
