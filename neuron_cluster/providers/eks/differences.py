"""Where what EKS reports after a deploy differs from the file: CloudFormation sends what its templates change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.json import encode

from neuron_cluster.findings.finding import Finding
from neuron_cluster.findings.text import listed
from neuron_cluster.protocol.aws_access import AwsAccess
from neuron_cluster.protocol.difference import difference
from neuron_cluster.providers.eks.plan.eks_plan import ADMIN_POLICY, VIEW_POLICY, EksPlan

if TYPE_CHECKING:
    from neuron_cluster.aws.eks import Cluster
    from neuron_cluster.aws.eks_state import ClusterState
    from neuron_cluster.plan.addon_plan import AddonPlan
    from neuron_cluster.providers.eks.existing import ExistingEks

LOG_TYPES = {"controller_manager": "controllerManager"}
"""Kinds of logs by the words of the file, where EKS has another word."""
ALL_LOGS = ("api", "audit", "authenticator", "controllerManager", "scheduler")
"""https://docs.aws.amazon.com/eks/latest/APIReference/API_LogSetup.html"""
UPDATE = "eks update-cluster-config"


def eks_differences(existing: ExistingEks, section: EksPlan, access: AwsAccess, *, is_durable: bool) -> list[Finding]:
    """W9652 for each setting that the file decides and that EKS reports otherwise.

    E9532 has the desired size of a group, W9505 the health of groups and add-ons.
    """
    cluster = next((each for each in existing.clusters if each.name == section.name), None)
    if cluster is None:
        command = access.aws_command("eks describe-cluster", name=section.name)
        return [difference(section.name, "the cluster", "not there", "one of this name", f"`{command}` shows it")]
    return [
        *endpoint_differences(cluster, section, access),
        *_of_logs(cluster, section, access),
        *_of_cluster(cluster, section, access, is_durable=is_durable),
        *_of_addons(existing, section, access),
        *_of_access(existing, section, access),
        *_of_groups(existing, section, access),
    ]


def endpoint_differences(cluster: Cluster | ClusterState, section: EksPlan, access: AwsAccess) -> Iterator[Finding]:
    """Yields a finding where the API endpoint of the cluster is open to other addresses than the file has."""
    cidrs = section.public_access_cidrs if section.is_public else ()
    reported = cluster.public_cidrs if cluster.is_public else ()
    if cluster.is_public == section.is_public and cluster.is_private and set(reported) == set(cidrs):
        return
    options = f"endpointPrivateAccess=true,endpointPublicAccess={str(section.is_public).lower()}"
    options += f",publicAccessCidrs={','.join(cidrs)}" if cidrs else ""
    command = access.aws_command(UPDATE, name=cluster.name, resources_vpc_config=options)
    yield difference(
        cluster.name,
        "the endpoint of the Kubernetes API",
        _endpoint(is_private=cluster.is_private, cidrs=reported),
        _endpoint(is_private=True, cidrs=cidrs),
        f"`{command}` sets the endpoint of the file",
    )


def _endpoint(*, is_private: bool, cidrs: tuple[str, ...]) -> str:
    public = f"public from {', '.join(sorted(cidrs))}" if cidrs else ""
    return " and ".join(part for part in ("private" if is_private else "", public) if part) or "public"


def _of_logs(cluster: Cluster, section: EksPlan, access: AwsAccess) -> Iterator[Finding]:
    planned = [LOG_TYPES.get(each, each) for each in section.control_plane_logs]
    if set(planned) != set(cluster.log_types):
        others = [each for each in ALL_LOGS if each not in planned]
        logging = [{"types": types, "enabled": types is planned} for types in (planned, others) if types]
        command = access.aws_command(UPDATE, name=cluster.name, logging=json.dumps({"clusterLogging": logging}))
        yield difference(
            cluster.name,
            "logs of the control plane",
            listed(sorted(cluster.log_types)),
            listed(sorted(planned)),
            f"`{command}` sets those of the file",
        )


def _of_cluster(cluster: Cluster, section: EksPlan, access: AwsAccess, *, is_durable: bool) -> Iterator[Finding]:
    if is_durable and not cluster.is_protected:
        command = access.aws_command(f"{UPDATE} --deletion-protection", name=cluster.name)
        yield difference(cluster.name, "deletion protection", "off", "on", f"`{command}` turns it on")
    if cluster.version != section.version:
        command = access.aws_command("eks list-updates", name=cluster.name)
        hint = f"`{command}` shows who updated it; EKS goes back to no earlier version: write eks.version as it runs"
        yield difference(cluster.name, "the Kubernetes version", cluster.version, section.version, hint)


def _of_addons(existing: ExistingEks, section: EksPlan, access: AwsAccess) -> Iterator[Finding]:
    there = {addon.name: addon for addon in existing.addons}
    for planned in section.addons:
        found = there.get(planned.name)
        if found is None:
            command = addon_creation(planned, section, access)
            role = "; set the role of its pods after it, as the template has it" if planned.pod_roles else ""
            hint = f"`{command}` creates it{role}"
            yield difference(planned.name, "the managed add-on", "not there", planned.version or "any version", hint)
        elif planned.version is not None and found.version and found.version != planned.version:
            command = access.aws_command(
                "eks update-addon",
                cluster_name=section.name,
                addon_name=planned.name,
                addon_version=planned.version,
            )
            hint = f"`{command}` sets the version of the file"
            yield difference(planned.name, "the managed add-on", found.version, planned.version, hint)


def addon_creation(planned: AddonPlan, section: EksPlan, access: AwsAccess) -> str:
    """The command that creates a managed add-on of the file again; a role of its pods is not set by it."""
    version = {"addon_version": planned.version} if planned.version is not None else {}
    values = encode(planned.configuration).decode() if planned.configuration else ""
    given = version | ({"configuration_values": values} if values and "<" not in values else {})
    names = {"cluster_name": section.name, "addon_name": planned.name}
    return access.aws_command("eks create-addon --resolve-conflicts OVERWRITE", **names, **given)


def _of_access(existing: ExistingEks, section: EksPlan, access: AwsAccess) -> Iterator[Finding]:
    """Yields findings on principals of the file, and on those that no stack has given access."""
    there = {entry.principal: (*entry.policies, *entry.groups) for entry in existing.access_entries}
    planned: dict[str, str] = dict.fromkeys(section.admins, ADMIN_POLICY) | dict.fromkeys(section.viewers, VIEW_POLICY)
    for team in section.teams:
        planned |= {each.arn: team.group for each in team.members} | {
            each.arn: team.operator_group for each in team.operators
        }
    for principal, right in planned.items():
        if there.get(principal) != (right,):
            found = listed(there[principal]) if principal in there else "not there"
            command = access.aws_command(
                "eks list-associated-access-policies" if principal in there else "eks list-access-entries",
                cluster_name=section.name,
                **({"principal_arn": principal} if principal in there else {}),
            )
            hint = f"`{command}` shows what EKS has: give the principal {right} and nothing else"
            yield difference(principal, "the access entry", found, right, hint)
    for principal in existing.foreign_principals:
        command = access.aws_command("eks delete-access-entry", cluster_name=section.name, principal_arn=principal)
        rights = listed(there.get(principal, ()))
        hint = f"`{command}` deletes it; or name the principal in eks.access"
        yield difference(principal, "the access entry", rights, "no such principal", hint)


def _of_groups(existing: ExistingEks, section: EksPlan, access: AwsAccess) -> Iterator[Finding]:
    there = {found.group.name: found.group for found in existing.node_groups}
    planned = {group.physical_name: group for group in section.managed_groups}
    for name in there.keys() - planned.keys():
        command = access.aws_command("eks delete-nodegroup", cluster_name=section.name, nodegroup_name=name)
        hint = f"its instances are billed, and `cost` leaves them out: `{command}` deletes it"
        yield difference(name, "the node group", f"{there[name].desired} nodes", "no such group", hint)
    for name, group in planned.items():
        found = there.get(name)
        if found is None:
            command = access.aws_command("eks list-nodegroups", cluster_name=section.name)
            hint = f"`{command}` lists what is there; with another name of the group in the file a deploy creates one"
            yield difference(name, "the node group", "not there", f"{group.desired} nodes", hint)
            continue
        if (found.min, found.max) != (group.min, group.max):
            size = f"minSize={group.min},maxSize={group.max},desiredSize={group.desired}"
            command = access.aws_command(
                "eks update-nodegroup-config", cluster_name=section.name, nodegroup_name=name, scaling_config=size
            )
            reported, of_file = (f"{each.min} to {each.max} nodes" for each in (found, group))
            yield difference(name, "the node group", reported, of_file, f"`{command}` sets the size of the file")
        taints = {f"{taint.key}={taint.value}:{taint.effect}" for taint in group.taints}
        if taints != set(found.taints):
            command = access.aws_command("eks describe-nodegroup", cluster_name=section.name, nodegroup_name=name)
            hint = f"`{command}` shows them; the option taints of update-nodegroup-config sets them"
            yield difference(name, "taints", listed(sorted(found.taints)), listed(sorted(taints)), hint)
