"""Services and clusters of ECS: what moto drops of a new service, and that its tasks count as running."""

from __future__ import annotations

from typing import Any

from moto.core.responses import ActionResult
from moto.core.utils import camelcase_to_underscores
from moto.ecs.models import CapacityProvider, EC2ContainerServiceBackend
from moto.ecs.responses import EC2ContainerServiceResponse

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.registry import guard
from local_aws.services.overrides import override

NOT_OF_AN_UPDATE = frozenset({"clientToken", "cluster", "role", "serviceName", "tags", "taskDefinition"})


@override(EC2ContainerServiceResponse, "create_service")
def create_service(original: Any, response: Any) -> ActionResult:
    """moto keeps half of what it takes for a new service, and all of what an update has."""
    created: ActionResult = original()
    given, cluster = response._get_params(), response._get_param("cluster", "default")  # noqa: SLF001 - as moto's own operations do
    update = {camelcase_to_underscores(name): given[name] for name in given.keys() - NOT_OF_AN_UPDATE}
    service = response.ecs_backend.update_service({"cluster": cluster, "service": given["serviceName"], **update})
    if given.get("capacityProviderStrategy"):
        service.launch_type = None
    _run_tasks(service)
    return created


@override(EC2ContainerServiceBackend, "update_service")
def update_service(original: Any, backend: Any, service_properties: dict[str, Any]) -> Any:
    """moto keeps the name of a task definition as it is given, which may be its family alone."""
    service = original(service_properties)
    if service.task_definition:
        service.task_definition = backend.describe_task_definition(service.task_definition).arn
    _run_tasks(service)
    return service


def _run_tasks(service: Any) -> None:
    """As many as desired: an update of CloudFormation waits for it. No container runs."""
    service.running_count, service.pending_count = service.desired_count, 0
    for deployment in service.deployments:
        deployment |= {"desiredCount": service.desired_count, "runningCount": service.desired_count, "pendingCount": 0}
        deployment |= {"rolloutState": "COMPLETED", "taskDefinition": service.task_definition}
        deployment["rolloutStateReason"] = f"ECS deployment {deployment['id']} completed."


@override(EC2ContainerServiceBackend, "list_services")
def list_services(original: Any, backend: Any, *given: Any, **named: Any) -> list[str]:
    """moto lists deleted ones."""
    active = {service.arn for service in backend.services.values() if service.status == "ACTIVE"}
    return [arn for arn in original(*given, **named) if arn in active]


@override(EC2ContainerServiceBackend, "list_clusters")
def list_clusters(_original: Any, backend: Any) -> list[str]:
    """moto lists deleted ones."""
    return [cluster.arn for cluster in backend.clusters.values() if cluster.status == "ACTIVE"]


@override(EC2ContainerServiceBackend, "describe_capacity_providers")
def describe_capacity_providers(original: Any, backend: Any, names: list[str] | None) -> Any:
    """moto requires names."""
    return original(list(backend.capacity_providers) if names is None else names)


@override(CapacityProvider, "update")
def update_provider(original: Any, provider: Any, asg_details: dict[str, Any]) -> None:
    """moto does not change the draining."""
    original(asg_details)
    if draining := asg_details.get("managedDraining"):
        provider.auto_scaling_group_provider["managedDraining"] = draining


@guard("ecs", "DeleteCluster")
def require_no_services(call: Call) -> None:
    cluster = call.parameters["cluster"].rpartition("/")[2]
    services = call.moto_backend("ecs").services.values()
    if any(each.cluster_name == cluster and each.status == "ACTIVE" for each in services):
        raise api_error("ecs.cluster_has_services")
