"""The provider of every custom resource: CDK's kubectl function is run and recorded, any other is invoked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from local_aws.contract import Store
from local_aws.custom_resources.controller import Controller
from local_aws.custom_resources.event import (
    DEFAULT_SERVICE_TIMEOUT,
    CustomResourceFailed,
    custom_resource_event,
    no_answer,
)
from local_aws.custom_resources.event_process import EventContext, EventProcesses, Outcome
from local_aws.custom_resources.function_resource import FunctionResources
from local_aws.custom_resources.functions import Functions
from local_aws.custom_resources.kubernetes_object import FIXED
from local_aws.custom_resources.kubernetes_state import state_of
from local_aws.custom_resources.published_lambda import PublishedLambdas
from local_aws.custom_resources.record import KINDS, TABLE, WAITS, Row, has_chart, known_objects, recorded_row
from local_aws.engine.provider import Properties, Resource, ResourceContext, ResourceProvider

OF_CLUSTERS = "Custom::AWSCDK-EKS-"
"""Beginning of the types whose functions need a cluster, which a record stands for here."""


class CustomResourceProvider(ResourceProvider):
    """Custom resources of CDK's kubectl provider, and those that another function serves.

    Raises ``CustomResourceFailed``, which is a ``ClientError``, for a failed event.
    """

    type_name = "Custom::*"

    def __init__(
        self,
        store: Store,
        folder: Path,
        known_code: Sequence[Mapping[str, str]] | None = None,
        functions: Functions | None = None,
        controllers: Sequence[Controller] = (),
    ) -> None:
        """``folder`` belongs to this provider alone; who gave it removes it after ``close``.

        ``known_code``: digests of the functions that are run as kubectl functions; without it CDK's. ``functions``
        run what serves other types. ``controllers`` are those of charts, in clusters that have them.
        """
        self._store = store
        self._controllers = controllers
        self._others = FunctionResources(store, functions or Functions(folder / "functions"))
        self._lambdas = PublishedLambdas(folder / "published", known_code)
        self._processes = EventProcesses(folder / "events")

    def create(self, context: ResourceContext, properties: Properties) -> Resource:
        if not context.resource_type.startswith(OF_CLUSTERS):
            return self._others.create(context, properties)
        event = custom_resource_event(context, "Create", properties)
        return self._record(context, event, self._run(context, event), default_id=event["RequestId"])

    def update(self, context: ResourceContext, resource: Resource, old: Properties, new: Properties) -> Resource:
        if old["ServiceToken"] != new["ServiceToken"]:
            raise CustomResourceFailed("Modifying service token is not allowed.")
        if not context.resource_type.startswith(OF_CLUSTERS):
            return self._others.update(context, resource, old, new)
        event = custom_resource_event(context, "Update", new, physical_id=resource.physical_id, old=old)
        return self._record(context, event, self._run(context, event), default_id=resource.physical_id)

    def delete(self, context: ResourceContext, resource: Resource, properties: Properties) -> None:
        if not context.resource_type.startswith(OF_CLUSTERS):
            self._others.delete(context, resource, properties)
            return
        self._run(context, custom_resource_event(context, "Delete", properties, physical_id=resource.physical_id))
        row = self._table(context).pop(resource.physical_id, {})
        for controller in self._controllers:
            if row.get("chart") == controller.chart:
                controller.uninstall(state_of(self._store, context.account, context.region, row["cluster"]))

    def read(self, context: ResourceContext, resource: Resource) -> dict[str, Any]:
        """The properties as the function got them, which is: as strings."""
        if not context.resource_type.startswith(OF_CLUSTERS):
            return self._others.read(context, resource)
        properties: dict[str, Any] = self._table(context)[resource.physical_id]["properties"]
        return properties

    def end_server(self) -> None:
        """Ends the process that events are forked from; the next event starts another."""
        self._processes.end_server()

    def close(self) -> None:
        """Ends every event that still runs, with all its processes."""
        self._processes.close()

    def _run(self, context: ResourceContext, event: Mapping[str, Any]) -> Outcome:
        if context.resource_type not in KINDS:
            raise CustomResourceFailed(
                f"{context.resource_type} is not emulated: of CDK's resources of clusters the local AWS runs "
                f"{', '.join(KINDS)}"
            )
        function = self._lambdas.kubectl_function(context, event["ServiceToken"])
        properties = event["ResourceProperties"]
        event_context = EventContext(
            endpoint=context.endpoint,
            account=context.account,
            region=context.region,
            facts=self._facts(context, properties.get("ClusterName")),
            # Only a chart from an asset is at hand to be rendered; the others stay in their registry.
            helm=self._lambdas.helm(context, function) if "ChartAssetURL" in properties else None,
        )
        outcome = self._processes.run(function.code_folder, event, event_context)
        if "ClusterName" in properties:
            self._carry_out(context, properties["ClusterName"], outcome)
        if any(command.hangs for command in outcome.commands):
            seconds = int(properties.get("ServiceTimeout", DEFAULT_SERVICE_TIMEOUT))
            self._store.table(context.account, context.region, WAITS)[context.logical_id] = seconds
            raise no_answer(event)
        return outcome

    def _carry_out(self, context: ResourceContext, cluster: str, outcome: Outcome) -> None:
        """Applies the commands to the cluster, and runs its controllers."""
        where = (self._store, context.account, context.region, cluster)
        state = state_of(*where)
        for command in outcome.commands:
            if "command" in command.asked:
                state.carry_out(command)
        for controller in self._controllers:
            controller.reconcile(state, is_installed=has_chart(*where, controller.chart))

    def _facts(self, context: ResourceContext, cluster_name: str | None) -> dict[str, Any]:
        if cluster_name is None:
            return {"cluster": None, "objects": [], "fixed": [], "held": [], "groups": {}, "terminating": []}
        eks = context.client("eks")
        try:
            cluster = eks.describe_cluster(name=cluster_name)["cluster"]
        except eks.exceptions.ResourceNotFoundException:
            cluster = None  # what the function's first command fails with, as in AWS
        where = (self._store, context.account, context.region, cluster_name)
        state = state_of(*where)
        controllers = [(each, has_chart(*where, each.chart)) for each in self._controllers]
        return {
            "cluster": cluster,
            "objects": list(known_objects(*where)),
            "fixed": [[key, each.live] for key, each in state.objects.items() if key[:2] in FIXED],
            "held": [key for each, is_there in controllers for key in each.held(state, is_installed=is_there)],
            "groups": {each.group: is_there for each, is_there in controllers},
            "terminating": sorted(state.terminating_kinds),
        }

    def _record(
        self, context: ResourceContext, event: Mapping[str, Any], outcome: Outcome, *, default_id: str
    ) -> Resource:
        # As CDK's provider framework treats an answer without an id (its framework.ts).
        physical_id = outcome.answer.get("PhysicalResourceId") or default_id
        row = recorded_row(context, physical_id, event, outcome.commands)
        self._table(context)[physical_id] = row
        return Resource(physical_id, outcome.answer.get("Data", {}), note=f"recorded, not installed: {_summary(row)}")

    def _table(self, context: ResourceContext) -> dict[str, Row]:
        return self._store.table(context.account, context.region, TABLE)


def _summary(row: Row) -> str:
    match row["kind"]:
        case "chart":
            rendered = "" if row["rendered"] is None else f", rendered to {len(row['rendered'])} objects"
            return f"chart {row['chart']} {row['version']} as release {row['release']}{rendered}"
        case "manifest":
            return ", ".join(f"{one['kind']} {one['metadata']['name']}" for one in row["objects"])
    return f"patch of {row['resource']}"
