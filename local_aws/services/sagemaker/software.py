"""UpdateClusterSoftware: groups get the AMI that the request names, and every node starts from it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.clock import CLOCK
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.sagemaker.cluster_rows import NODES, Row, find_cluster, require_working, running_now
from local_aws.services.sagemaker.events import record


@operation("sagemaker", "UpdateClusterSoftware")
def update_cluster_software(call: Call) -> Mapping[str, Any]:
    """Groups of the request, or all; a release of one goes before the image of the request."""
    given = call.parameters
    cluster = find_cluster(call, given["ClusterName"])
    require_working(cluster)
    groups = {group["InstanceGroupName"]: group for group in cluster["InstanceGroups"]}
    asked = {each["InstanceGroupName"]: each for each in given.get("InstanceGroups", [])}
    if unknown := [name for name in asked if name not in groups]:
        raise api_error("sagemaker.no_group", name=unknown[0], cluster=cluster["ClusterName"])
    for name, group in groups.items():
        if asked and name not in asked:
            continue
        if release := asked.get(name, {}).get("ImageReleaseVersion"):
            group |= {"DesiredImageReleaseVersion": release}
        if "ImageId" in given:
            group |= {"DesiredImageId": given["ImageId"]}
        group.update(running_now(group))
        for node in cluster[NODES].values():
            if node["InstanceGroupName"] == name:
                node.update({"LastSoftwareUpdateTime": CLOCK.now(), **_images(group)})
        record(cluster, f"The software of instance group {name} is updated", group=name)
    return {"ClusterArn": cluster["ClusterArn"]}


def _images(group: Row) -> Row:
    return {name: value for name, value in group.items() if name.startswith("CurrentImage")}
