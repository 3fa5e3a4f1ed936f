"""Updates of clusters, node groups and add-ons: each is done at once and can be asked for afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import operation
from local_aws.services.eks.names import new_uuid
from local_aws.services.eks.tables import Row, find_addon, find_nodegroup, now, of_cluster
from local_aws.services.paging import listing


def record_update(
    call: Call, row: Row, kind: str, parameters: Mapping[str, Any], errors: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Notes a finished update of the cluster, node group or add-on whose row is given: the operation's answer.

    It failed when there are errors. Values of parameters are told as text; what is none is told as JSON.
    """
    update = {
        "id": new_uuid(),
        "status": "Failed" if errors else "Successful",
        "type": kind,
        "params": [
            {"type": name, "value": value if isinstance(value, str) else json.dumps(value)}
            for name, value in parameters.items()
        ],
        "createdAt": now(),
        "errors": list(errors),
    }
    owner = (row.get("nodegroupName", ""), row.get("addonName", ""))
    updates = of_cluster(call, "updates", row.get("clusterName") or row["name"])
    updates[str(update["id"])] = {"owner": owner, "update": update}
    return {"update": update}


@operation("eks", "DescribeUpdate")
def describe_update(call: Call) -> Mapping[str, Any]:
    update_id = call.parameters["updateId"]
    for row in _updates_of_owner(call):
        if row["update"]["id"] == update_id:
            return {"update": row["update"]}
    raise api_error("eks.no_update", update_id=update_id)


@operation("eks", "ListUpdates")
def list_updates(call: Call) -> Mapping[str, Any]:
    return listing(call, "updateIds", [row["update"]["id"] for row in _updates_of_owner(call)])


def _updates_of_owner(call: Call) -> list[Row]:
    """Updates of the cluster itself, or of the one node group or add-on that the request names."""
    cluster_name = call.parameters["name"]
    nodegroup = call.parameters.get("nodegroupName", "")
    addon = call.parameters.get("addonName", "")
    if nodegroup:
        find_nodegroup(call, cluster_name, nodegroup)
    if addon:
        find_addon(call, cluster_name, addon)
    rows = list(of_cluster(call, "updates", cluster_name).values())
    return [row for row in rows if row["owner"] == (nodegroup, addon)]
