"""A plan in the words in which EC2 and EKS tell what was made of it."""

from __future__ import annotations

import base64
import email
from collections.abc import Mapping
from typing import Any

from neuron_cluster.plan.machine_plan import (
    InterfacePlan,
    PurchaseOptionPlan,
    SecurityGroupRole,
    VolumePlan,
)
from neuron_cluster.plan.node_group_plan import NodeGroupPlan

TAGGED = ("instance", "volume", "network-interface")
NODE_CONFIG, SHELL = "application/node.eks.aws", "text/x-shellscript"


def template_data(
    group: NodeGroupPlan, security_group_ids: Mapping[SecurityGroupRole, str], tags: Mapping[str, str]
) -> dict[str, Any]:
    """LaunchTemplateData as a whole, but for the placement group, whose name CloudFormation makes.

    User data as what ``user_data_parts`` makes of it.
    """
    machine, bootstrap = group.machine, group.bootstrap
    parts = {NODE_CONFIG: bootstrap.node_config, SHELL: bootstrap.shell}
    data = {
        "InstanceType": machine.instance_type,
        "NetworkInterfaces": [_interface(each, security_group_ids) for each in machine.interfaces],
        "BlockDeviceMappings": [_root_volume(machine.root_volume)],
        "MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": 1, "HttpEndpoint": "enabled"},
        "TagSpecifications": [
            {"ResourceType": kind, "Tags": [{"Key": key, "Value": tags[key]} for key in sorted(tags)]}
            for kind in TAGGED
        ],
        "UserData": {kind: text for kind, text in parts.items() if text is not None},
        **_market(machine.purchase),
    }
    return {key: value for key, value in data.items() if value}


def _interface(plan: InterfacePlan, security_group_ids: Mapping[SecurityGroupRole, str]) -> dict[str, Any]:
    return {
        "NetworkCardIndex": plan.network_card_index,
        "DeviceIndex": plan.device_index,
        "InterfaceType": plan.interface_type,
        "Groups": [security_group_ids[role] for role in plan.groups],
        "DeleteOnTermination": True,
    }


def _root_volume(plan: VolumePlan) -> dict[str, Any]:
    volume = {"VolumeSize": plan.size_gib, "Iops": plan.iops, "Throughput": plan.throughput_mibps}
    return {
        "DeviceName": plan.device_name,
        "Ebs": {"VolumeType": "gp3", "Encrypted": True, "DeleteOnTermination": True, **volume},
    }


def _market(plan: PurchaseOptionPlan) -> dict[str, Any]:
    target = {
        "CapacityReservationId": plan.reservation_id,
        "CapacityReservationResourceGroupArn": plan.resource_group_arn,
    }
    target = {key: value for key, value in target.items() if value is not None}
    reservation = {
        **({"CapacityReservationTarget": target} if target else {}),
        **({"CapacityReservationPreference": plan.reservation_preference} if plan.reservation_preference else {}),
    }
    return {
        "InstanceMarketOptions": {"MarketType": plan.market_type} if plan.market_type else {},
        "CapacityReservationSpecification": reservation,
    }


def user_data_parts(encoded: str) -> dict[str, str]:
    """The parts of MIME user data by content type; of a shell part what follows its first two lines."""
    message = email.message_from_string(base64.b64decode(encoded).decode("ascii"))
    assert message.get_content_type() == "multipart/mixed"
    parts: dict[str, str] = {}
    for part in message.walk():
        if part is message:
            continue
        kind, text = part.get_content_type(), f"{part.get_payload()}\n"  # the last line end belongs to the boundary
        assert kind not in parts
        if kind == SHELL:
            shebang, options, text = text.split("\n", 2)
            assert (shebang, options) == ("#!/bin/bash", "set -euo pipefail")
        parts[kind] = text
    return parts


def node_group(plan: NodeGroupPlan, version: str) -> dict[str, Any]:
    """Returns the response of DescribeNodegroup for an active group, without values that only EKS has."""
    return {
        "nodegroupName": plan.physical_name,
        "status": "ACTIVE",
        "health": {"issues": []},
        "version": version,
        "amiType": plan.image.family,
        "capacityType": plan.capacity_type,
        "scalingConfig": {"minSize": plan.min, "desiredSize": plan.desired, "maxSize": plan.max},
        "labels": dict(plan.labels),
        "taints": [{"key": each.key, "value": each.value, "effect": each.effect} for each in plan.taints],
        "updateConfig": {"maxUnavailable": 1} | ({"updateStrategy": "MINIMAL"} if _ends_first(plan) else {}),
        "nodeRepairConfig": _node_repair(plan),
    }


def _ends_first(plan: NodeGroupPlan) -> bool:
    """Reserved machines, and Neuron machines with EFA that are not bought on the spot purchase."""
    machine, purchase = plan.machine, plan.machine.purchase
    targets = (purchase.reservation_id, purchase.resource_group_arn, purchase.reservation_preference)
    has_efa = any(each.interface_type != "interface" for each in machine.interfaces)
    return any(targets) or (machine.is_neuron and has_efa and purchase.kind != "spot")


def _node_repair(plan: NodeGroupPlan) -> dict[str, Any]:
    repair = plan.node_repair
    if repair is None:
        return {"enabled": False}
    overrides = [
        {
            "nodeMonitoringCondition": each.condition,
            "nodeUnhealthyReason": each.reason,
            "repairAction": each.action,
            "minRepairWaitTimeMins": each.wait_minutes,
        }
        for each in repair.overrides
    ]
    return {
        "enabled": True,
        "maxUnhealthyNodeThresholdCount": repair.unhealthy_at_most,
        "maxParallelNodesRepairedCount": repair.parallel_at_most,
        "nodeRepairConfigOverrides": overrides,
    }
