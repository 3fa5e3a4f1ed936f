"""Requests of custom resources to a cluster, for people to see: charts, manifests, patches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from local_aws.contract import Store
from local_aws.custom_resources.command_log import WAITS_FOR, RanCommand
from local_aws.custom_resources.kubernetes_object import NAMESPACES_OF_EKS, Identity, identity, namespace_identity
from local_aws.custom_resources.kubernetes_state import state_of
from local_aws.engine.provider import ResourceContext

TABLE = "recorded.requests"
KINDS = {
    "Custom::AWSCDK-EKS-HelmChart": "chart",
    "Custom::AWSCDK-EKS-KubernetesResource": "manifest",
    "Custom::AWSCDK-EKS-KubernetesPatch": "patch",
}
"""The resource types whose functions change a cluster and need no answer from it."""

WAITS = "recorded.waits"

Row = dict[str, Any]


def recorded(store: Store, account: str, region: str) -> list[Row]:
    """Returns the present requests in this account and Region, in the order in which each was first made.

    Every row has ``kind``, ``stack``, ``logical_id``, ``physical_id``, ``cluster``, ``properties`` (as the function
    got them) and ``commands``. A ``chart`` also has ``release``, ``namespace``, ``create_namespace``, ``chart``,
    ``repository``, ``version``, ``values`` and ``rendered`` (objects, or None where only the registry has the chart);
    a ``manifest`` has ``objects``; a ``patch`` has ``resource``, ``namespace``, ``patch`` and ``type``.
    """
    return list(store.table(account, region, TABLE).values())


def has_chart(store: Store, account: str, region: str, cluster: str, chart: str) -> bool:
    """Whether a release of the chart was asked for in the cluster."""
    return any(row["cluster"] == cluster and row.get("chart") == chart for row in recorded(store, account, region))


def waits(store: Store, account: str, region: str) -> dict[str, int]:
    """Seconds that CloudFormation would have waited for functions that never answered, by logical id of the resource.

    Nothing here waits: the resource fails at once.
    """
    return dict(store.table(account, region, WAITS))


def recorded_row(
    context: ResourceContext, physical_id: str, event: Mapping[str, Any], commands: tuple[RanCommand, ...]
) -> Row:
    """The row of a request that its function carried out."""
    properties = event["ResourceProperties"]
    row: Row = {
        "kind": KINDS[context.resource_type],
        "stack": context.stack_name,
        "logical_id": context.logical_id,
        "physical_id": physical_id,
        "cluster": properties["ClusterName"],
        "properties": properties,
        "commands": [command.line for command in commands],
    }
    pulled: Mapping[str, Any] = {}
    for command in commands:
        match command.line[:2]:
            case ["helm", "pull"]:
                pulled = command.asked
            case ["helm", "upgrade"] | ["kubectl", _]:
                # A chart that was pulled first is a folder to helm; where it came from stands in the pull.
                reported = {key: value for key, value in command.asked.items() if key not in ("command", WAITS_FOR)}
                row |= {**reported, **pulled}
    return row


def known_objects(store: Store, account: str, region: str, cluster: str) -> Iterator[Identity]:
    """The objects that a cluster has: its first namespaces, and what was asked for and is known in full."""
    yield from map(namespace_identity, NAMESPACES_OF_EKS)
    yield from state_of(store, account, region, cluster).objects
    for row in recorded(store, account, region):
        if row["cluster"] != cluster:
            continue
        if row.get("create_namespace"):
            yield namespace_identity(row["namespace"])
        yield from map(identity, row.get("rendered") or ())
