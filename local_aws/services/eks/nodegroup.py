"""EKS managed node groups: create, describe, list, delete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.eks.access_entry import create_node_access_entry, delete_node_access_entry
from local_aws.services.eks.auto_scaling import create_group, delete_group, node_data
from local_aws.services.eks.kubernetes_versions import release_version, require_within_skew
from local_aws.services.eks.launch_template import TemplateVersion, find_template, validate_launch_template
from local_aws.services.eks.names import eks_arn, new_uuid
from local_aws.services.eks.nodegroup_rules import (
    CUSTOM_AMI,
    new_scaling,
    require_image_fit,
    require_instance_types,
    require_labels,
    require_nodegroup_subnets,
    require_scaling_order,
    require_taints,
    require_template_fit,
    require_unavailable,
)
from local_aws.services.eks.nodes import CREATE_FAILED, SETTLED, start_nodes
from local_aws.services.eks.roles import require_node_role
from local_aws.services.eks.tables import Row, find_cluster, find_nodegroup, now, of_cluster
from local_aws.services.paging import listing
from local_aws.services.seed_data import seed_data

KEPT_AS_GIVEN = ("remoteAccess", "warmPoolConfig")


@operation("eks", "CreateNodegroup")
def create_nodegroup(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    cluster = find_cluster(call, given["clusterName"])
    rows = of_cluster(call, "nodegroups", cluster["name"])
    name = given["nodegroupName"]
    if name in rows:
        raise api_error("eks.nodegroup_exists", name=name, cluster=cluster["name"])
    require_within_skew(cluster["version"], given.get("version", cluster["version"]))
    template = find_template(call, given["launchTemplate"]) if "launchTemplate" in given else None
    scaling = new_scaling(given.get("scalingConfig", {}))
    require_scaling_order(scaling)
    require_unavailable(given.get("updateConfig", {}), scaling)
    require_template_fit(given, template)
    require_image_fit(given, template)
    require_taints(given.get("taints", []))
    require_labels(given.get("labels", {}))
    require_instance_types(given, template)
    require_nodegroup_subnets(call, cluster, given["subnets"])
    require_node_role(call, given["nodeRole"])
    validate_launch_template(
        call, cluster, template, given["subnets"], given.get("amiType", seed_data("eks")["default_ami_type"])
    )
    group = _new_nodegroup(call, cluster, template)
    data = template.data if template else {}
    create_group(call, cluster, group, node_data(call, cluster, group, data))
    start_nodes(call, cluster, group, data, failed=CREATE_FAILED)
    rows[name] = group
    create_node_access_entry(call, cluster, given["nodeRole"])
    return {"nodegroup": group}


@operation("eks", "DescribeNodegroup")
def describe_nodegroup(call: Call) -> Mapping[str, Any]:
    return {"nodegroup": find_nodegroup(call, call.parameters["clusterName"], call.parameters["nodegroupName"])}


@operation("eks", "ListNodegroups")
def list_nodegroups(call: Call) -> Mapping[str, Any]:
    return listing(call, "nodegroups", sorted(of_cluster(call, "nodegroups", call.parameters["clusterName"])))


@operation("eks", "DeleteNodegroup")
def delete_nodegroup(call: Call) -> Mapping[str, Any]:
    cluster_name, name = call.parameters["clusterName"], call.parameters["nodegroupName"]
    group = find_nodegroup(call, cluster_name, name)
    del of_cluster(call, "nodegroups", cluster_name)[name]
    call.table(SETTLED).pop(group["nodegroupArn"], None)
    delete_group(call, group)
    delete_node_access_entry(call, cluster_name, group["nodeRole"])
    return {"nodegroup": {**group, "status": "DELETING"}}


def _new_nodegroup(call: Call, cluster: Row, template: TemplateVersion | None) -> Row:
    given = call.parameters
    name = given["nodegroupName"]
    suffix = new_uuid()
    group = {
        "nodegroupName": name,
        "nodegroupArn": eks_arn(call, "nodegroup", cluster["name"], name, suffix),
        "clusterName": cluster["name"],
        "createdAt": now(),
        "modifiedAt": now(),
        "status": "ACTIVE",
        "capacityType": given.get("capacityType", "ON_DEMAND"),
        "scalingConfig": new_scaling(given.get("scalingConfig", {})),
        "subnets": list(given["subnets"]),
        "nodeRole": given["nodeRole"],
        "labels": dict(given.get("labels", {})),
        "taints": [dict(taint) for taint in given.get("taints", [])],
        "resources": {"autoScalingGroups": [{"name": f"eks-{name}-{suffix}"}]},
        "health": {"issues": []},
        "updateConfig": given.get("updateConfig") or {"maxUnavailable": 1},
        "nodeRepairConfig": {"enabled": False, **given.get("nodeRepairConfig", {})},
        "tags": dict(given.get("tags", {})),
        **{member: given[member] for member in KEPT_AS_GIVEN if member in given},
    }
    return {**group, **_machines(call, cluster, template)}


def _machines(call: Call, cluster: Row, template: TemplateVersion | None) -> Row:
    """Image, size, versions: from the request, the launch template or EKS's defaults."""
    given = call.parameters
    data: Mapping[str, Any] = template.data if template else {}
    machines: Row = {"version": given.get("version", cluster["version"])}
    if data.get("ImageId"):
        machines["amiType"] = CUSTOM_AMI
        machines["releaseVersion"] = data["ImageId"]
    else:
        machines["amiType"] = given.get("amiType", seed_data("eks")["default_ami_type"])
        release = release_version(call, machines["amiType"], machines["version"], given.get("releaseVersion"))
        machines |= {"releaseVersion": release} if release else {}
    if not data.get("InstanceType"):
        machines["instanceTypes"] = given.get("instanceTypes") or seed_data("eks")["default_instance_types"]
    if template:
        machines["launchTemplate"] = template.specification()
    else:
        machines["diskSize"] = given.get("diskSize", seed_data("eks")["default_disk_size_gib"])
    return machines
