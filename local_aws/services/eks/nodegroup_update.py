"""UpdateNodegroupConfig and UpdateNodegroupVersion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.eks.kubernetes_versions import minor, release_version, require_offered
from local_aws.services.eks.launch_template import TemplateVersion, find_template, validate_launch_template
from local_aws.services.eks.nodegroup_rules import (
    CUSTOM_AMI,
    require_changed_scaling_order,
    require_labels,
    require_taints,
    require_template_fit,
    require_unavailable,
)
from local_aws.services.eks.nodes import (
    DEGRADED,
    SETTLED,
    capacity_issues_of_update,
    require_changeable,
    start_nodes,
)
from local_aws.services.eks.tables import Row, find_cluster, find_nodegroup, now
from local_aws.services.eks.update import record_update

UPDATE_PARAMETERS = {
    "minSize": "MinSize",
    "maxSize": "MaxSize",
    "desiredSize": "DesiredSize",
    "maxUnavailable": "MaxUnavailable",
    "maxUnavailablePercentage": "MaxUnavailablePercentage",
    "updateStrategy": "UpdateStrategy",
}


@operation("eks", "UpdateNodegroupConfig")
def update_nodegroup_config(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    group = find_nodegroup(call, given["clusterName"], given["nodegroupName"])
    require_changeable(group)
    wanted: Row = {}
    if "scalingConfig" in given:
        wanted["scalingConfig"] = {**group["scalingConfig"], **given["scalingConfig"]}
        require_changed_scaling_order(wanted["scalingConfig"])
    if "labels" in given:
        wanted["labels"] = _labels(group["labels"], given["labels"])
        require_labels(wanted["labels"])
    if "taints" in given:
        wanted["taints"] = _taints(group["taints"], given["taints"])
        require_taints(wanted["taints"])
    if "updateConfig" in given:
        wanted["updateConfig"] = dict(given["updateConfig"])
    if "nodeRepairConfig" in given:
        wanted["nodeRepairConfig"] = {"enabled": group["nodeRepairConfig"]["enabled"], **given["nodeRepairConfig"]}
    if "warmPoolConfig" in given:
        wanted["warmPoolConfig"] = dict(given["warmPoolConfig"])
    if not wanted:
        raise api_error("eks.no_change")
    require_unavailable(wanted.get("updateConfig", {}), {**group, **wanted}["scalingConfig"])
    group.update(wanted, modifiedAt=now())
    if "scalingConfig" in given:
        _scale(call, group)
    return record_update(call, group, "ConfigUpdate", _update_parameters(given))


@operation("eks", "UpdateNodegroupVersion")
def update_nodegroup_version(call: Call) -> Mapping[str, Any]:
    given = call.parameters
    cluster = find_cluster(call, given["clusterName"])
    group = find_nodegroup(call, given["clusterName"], given["nodegroupName"])
    require_changeable(group)
    template = _next_template(call, group)
    data: Mapping[str, Any] = template.data if template else {}
    if data.get("ImageId"):
        if group["amiType"] != CUSTOM_AMI or "version" in given or "releaseVersion" in given:
            raise api_error("eks.version_beside_image")
        wanted = {"version": cluster["version"], "releaseVersion": data["ImageId"]}
    else:
        wanted = _next_release(call, cluster, group)
    parameters = {"Version": wanted["version"], "ReleaseVersion": wanted.get("releaseVersion", "")}
    if template:
        wanted["launchTemplate"] = template.specification()
        parameters |= {"LaunchTemplateName": template.name, "LaunchTemplateVersion": template.version}
    return record_update(call, group, "VersionUpdate", parameters, _roll(call, cluster, group, wanted, data))


def _roll(call: Call, cluster: Row, group: Row, wanted: Row, data: Mapping[str, Any]) -> list[Row]:
    """Replaces the nodes, and says why that failed; a group whose first new node cannot start stays as it is."""
    after = _nodes_of(group | wanted, data)
    if after != _nodes_of(group, _current_data(call, group)) and (
        issues := capacity_issues_of_update(call, cluster, group, data)
    ):
        return [_update_error(issue) for issue in issues]
    group.update(wanted, modifiedAt=now())
    start_nodes(call, cluster, group, data, failed=DEGRADED)
    stable = call.table(SETTLED).get(group["nodegroupArn"]) == after
    return [] if stable else [_update_error(issue) for issue in group["health"]["issues"]]


def _scale(call: Call, group: Row) -> None:
    """Starts the nodes that the new size wants; the update has an end, and the group tells how it went."""
    cluster = find_cluster(call, group["clusterName"])
    data = _current_data(call, group)
    start_nodes(call, cluster, group, data, failed=DEGRADED)
    call.table(SETTLED).pop(group["nodegroupArn"], None)
    if group["status"] == DEGRADED:
        call.table(SETTLED)[group["nodegroupArn"]] = _nodes_of(group, data)


def _current_data(call: Call, group: Row) -> Mapping[str, Any]:
    template = _current_template(call, group)
    return template.data if template else {}


def _current_template(call: Call, group: Row) -> TemplateVersion | None:
    current = group.get("launchTemplate")
    return find_template(call, {"id": current["id"], "version": current["version"]}) if current else None


def _nodes_of(group: Row, data: Mapping[str, Any]) -> tuple[Any, Any]:
    """Returns release and data of the group's nodes. A template that is put back is a new version with the old data."""
    return group.get("releaseVersion"), dict(data)


def _update_error(issue: Row) -> Row:
    return {"errorCode": "NodeCreationFailure", "errorMessage": issue["message"], "resourceIds": issue["resourceIds"]}


def _next_template(call: Call, group: Row) -> TemplateVersion | None:
    """Another version of the group's own template, or the one that it has."""
    current = group.get("launchTemplate")
    given = call.parameters.get("launchTemplate")
    if given is None:
        return _current_template(call, group)
    if current is None:
        raise api_error("eks.template_added")
    template = find_template(call, given)
    if template.id != current["id"]:
        raise api_error("eks.template_exchanged")
    require_template_fit(group, template)
    cluster = find_cluster(call, group["clusterName"])
    validate_launch_template(call, cluster, template, group["subnets"], group["amiType"])
    return template


def _next_release(call: Call, cluster: Row, group: Row) -> Row:
    """Kubernetes and AMI release version after the update: the cluster's and the newest one unless said otherwise.

    A request that changes the launch template alone keeps both, so that a new template version rolls nothing else.
    """
    given = call.parameters
    if "launchTemplate" in given and "version" not in given and "releaseVersion" not in given:
        return {member: group[member] for member in ("version", "releaseVersion") if member in group}
    wanted = given.get("releaseVersion")
    version = given.get("version") or (".".join(wanted.split(".")[:2]) if wanted else cluster["version"])
    require_offered(version)
    if not minor(group["version"]) <= minor(version) <= minor(cluster["version"]):
        raise api_error("eks.nodegroup_version", current=group["version"], wanted=version, cluster=cluster["version"])
    release = release_version(call, group["amiType"], version, wanted)
    return {"version": version, **({"releaseVersion": release} if release else {})}


def _labels(current: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, str]:
    gone = set(given.get("removeLabels", []))
    return {**{k: v for k, v in current.items() if k not in gone}, **given.get("addOrUpdateLabels", {})}


def _taints(current: list[Row], given: Mapping[str, Any]) -> list[Row]:
    """A taint is known by key and effect; what is given takes the place of its like."""
    new = [dict(taint) for taint in given.get("addOrUpdateTaints", [])]
    replaced = {_taint_key(taint) for taint in [*given.get("removeTaints", []), *new]}
    return [*(taint for taint in current if _taint_key(taint) not in replaced), *new]


def _taint_key(taint: Mapping[str, Any]) -> tuple[Any, Any]:
    return taint.get("key"), taint.get("effect")


def _update_parameters(given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parameters of the update as DescribeUpdate returns them."""
    numbers = {**given.get("scalingConfig", {}), **given.get("updateConfig", {})}
    reported = {UPDATE_PARAMETERS[member]: value for member, value in numbers.items()}
    lists = {
        "LabelsToAdd": given.get("labels", {}).get("addOrUpdateLabels"),
        "LabelsToRemove": given.get("labels", {}).get("removeLabels"),
        "TaintsToAdd": given.get("taints", {}).get("addOrUpdateTaints"),
        "TaintsToRemove": given.get("taints", {}).get("removeTaints"),
        "NodeRepairConfig": given.get("nodeRepairConfig"),
    }
    reported |= {name: value for name, value in lists.items() if value}
    if "warmPoolConfig" in given:
        reported["WarmPoolEnabled"] = given["warmPoolConfig"].get("enabled", False)
    return reported
