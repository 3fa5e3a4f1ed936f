"""Settings of EKS after a deploy, compared with the file: CloudFormation sees no change of another program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hint_commands import command_error, commands_in
from msgspec import structs

from neuron_cluster.aws.eks import AccessEntry, Addon, Cluster, DescribedNodeGroup
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.findings.finding import Finding
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.providers.eks.differences import LOG_TYPES
from neuron_cluster.providers.eks.existing import ExistingEks, ExistingNodeGroup
from neuron_cluster.providers.eks.plan.eks_plan import ADMIN_POLICY, VIEW_POLICY, EksPlan

HERE = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
STRANGER = "arn:aws:iam::111122223333:role/stranger"


def as_in_the_file(plan: ClusterPlan) -> ExistingEks:
    section = plan.provider(EksPlan)
    assert section is not None
    entries = [AccessEntry(each, (ADMIN_POLICY,), (), "STANDARD") for each in section.admins]
    entries += [AccessEntry(each, (VIEW_POLICY,), (), "STANDARD") for each in section.viewers]
    for team in section.teams:
        entries += [AccessEntry(each.arn, (), (team.group,), "STANDARD") for each in team.members]
        entries += [AccessEntry(each.arn, (), (team.operator_group,), "STANDARD") for each in team.operators]
    cluster = Cluster(
        section.name, "ACTIVE", section.version, True, section.is_public,
        section.public_access_cidrs if section.is_public else ("0.0.0.0/0",), "API",
        tuple(LOG_TYPES.get(each, each) for each in section.control_plane_logs), plan.is_durable,
    )  # fmt: skip
    groups = (
        DescribedNodeGroup(
            group.physical_name, "ACTIVE", "", group.capacity_type, group.min, group.desired, group.max, "", "",
            tuple(f"{taint.key}={taint.value}:{taint.effect}" for taint in group.taints),
        )
        for group in section.node_groups
    )  # fmt: skip
    return ExistingEks(
        clusters=(cluster,),
        addons=tuple(Addon(each.name, each.version or "v1", "ACTIVE") for each in section.addons),
        access_entries=tuple(entries),
        node_groups=tuple(ExistingNodeGroup(group, None) for group in groups),
    )


def of_cluster(**changed: Any) -> Callable[[ExistingEks], ExistingEks]:
    return lambda found: structs.replace(found, clusters=(structs.replace(found.clusters[0], **changed),))


def of_group(**changed: Any) -> Callable[[ExistingEks], ExistingEks]:
    def edited(found: ExistingEks) -> ExistingEks:
        first, *others = found.node_groups
        return structs.replace(
            found, node_groups=(ExistingNodeGroup(structs.replace(first.group, **changed), None), *others)
        )

    return edited


def of_admin(*entries: AccessEntry) -> Callable[[ExistingEks], ExistingEks]:
    return lambda found: structs.replace(found, access_entries=(*entries, *found.access_entries[1:]))


def let_in(found: ExistingEks) -> ExistingEks:
    entry = AccessEntry(STRANGER, (ADMIN_POLICY,), (), "STANDARD")
    entries = (*found.access_entries, entry)
    return structs.replace(found, access_entries=entries, foreign_principals=(STRANGER,))


EDITS: dict[str, tuple[Callable[[ExistingEks], ExistingEks], str]] = {
    "open": (of_cluster(is_public=True, public_cidrs=("0.0.0.0/0",)), "public from 0.0.0.0/0"),
    "not private": (of_cluster(is_private=False), "the endpoint of the Kubernetes API"),
    "no logs": (of_cluster(log_types=()), "logs of the control plane: the service reports none"),
    "fewer logs": (of_cluster(log_types=("api", "audit")), "the service reports api and audit, the file"),
    "unprotected": (of_cluster(is_protected=False), "deletion protection: the service reports off"),
    "updated": (of_cluster(version="1.99"), "the service reports 1.99"),
    "add-on deleted": (lambda found: structs.replace(found, addons=found.addons[1:]),
                       "add-on: the service reports not there"),
    "group deleted": (lambda found: structs.replace(found, node_groups=found.node_groups[1:]),
                      "group: the service reports not there"),
    "limits": (of_group(max=99), "99 nodes"),
    "another group": (of_group(name="by-hand"), "no such group"),
    "taints": (of_group(taints=("by=hand:NO_SCHEDULE",)), "by=hand:NO_SCHEDULE"),
    "admin deleted": (of_admin(), "the access entry: the service reports not there"),
    "let in": (let_in, f"the access entry: the service reports {ADMIN_POLICY}, the file has no such principal"),
    "no cluster": (lambda found: structs.replace(found, clusters=()), "the cluster: the service reports not there"),
}  # fmt: skip


def messages(found: list[Finding]) -> str:
    """The findings, each with commands that can be run as they are."""
    assert {each.id for each in found} <= {"W9652"}
    assert all(commands_in(each.hint) for each in found)
    assert [error for each in found for command in commands_in(each.hint) if (error := command_error(command))] == []
    return "\n".join(each.message for each in found)


@pytest.mark.parametrize("edit", EDITS)
def test_what_eks_reports_otherwise_than_the_file_is_a_warning(edit: str, training: ClusterPlan) -> None:
    same = as_in_the_file(training)
    assert same.differences(training, HERE) == []
    change, text = EDITS[edit]
    assert text in messages(change(same).differences(training, HERE))


def test_an_endpoint_that_the_file_opens_has_its_addresses_and_no_others(training: ClusterPlan) -> None:
    section = training.provider(EksPlan)
    assert section is not None
    opened = structs.replace(section, is_public=True, public_access_cidrs=("198.51.100.0/24", "203.0.113.0/24"))
    plan = structs.replace(
        training, providers=tuple(opened if each is section else each for each in training.providers)
    )
    same = as_in_the_file(plan)
    turned = of_cluster(public_cidrs=("203.0.113.0/24", "198.51.100.0/24"))(same)
    assert same.differences(plan, HERE) == turned.differences(plan, HERE) == []
    (closed,) = of_cluster(is_public=False)(same).differences(plan, HERE)
    assert closed.message.endswith(
        "reports private, the file has private and public from 198.51.100.0/24, 203.0.113.0/24"
    )
    (wider,) = of_cluster(public_cidrs=("0.0.0.0/0",))(same).differences(plan, HERE)
    assert "publicAccessCidrs=198.51.100.0/24,203.0.113.0/24" in wider.hint
