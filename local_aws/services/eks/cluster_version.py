"""UpdateClusterVersion: one minor version at a time, with the node groups following each step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.service import Call, operation
from local_aws.services.eks.kubernetes_versions import require_next_minor
from local_aws.services.eks.tables import find_cluster, of_cluster
from local_aws.services.eks.update import record_update


@operation("eks", "UpdateClusterVersion")
def update_cluster_version(call: Call) -> Mapping[str, Any]:
    cluster = find_cluster(call, call.parameters["name"])
    wanted = call.parameters["version"]
    require_next_minor(cluster["version"], wanted)
    groups = list(of_cluster(call, "nodegroups", cluster["name"]).values())
    behind = [group["nodegroupName"] for group in groups if group["version"] != cluster["version"]]
    if behind:
        raise api_error("eks.nodegroups_behind", groups=", ".join(behind), version=cluster["version"])
    cluster["version"] = wanted
    parameters = {"Version": wanted, "PlatformVersion": cluster["platformVersion"]}
    return record_update(call, cluster, "VersionUpdate", parameters)
