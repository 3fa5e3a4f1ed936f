"""Tags of dashboards: CloudWatch takes them like those of alarms, moto knows those of alarms only."""

from __future__ import annotations

from typing import Any

from moto.cloudwatch.models import CloudWatchBackend
from moto.cloudwatch.responses import CloudWatchResponse

from local_aws.services.overrides import override


@override(CloudWatchResponse, "put_dashboard")
def keep_tags(original: Any, response: Any) -> Any:
    """Tags of an update are not taken: like the service, which wants TagResource for that."""
    backend = response.cloudwatch_backend
    name = response._get_param("DashboardName")  # noqa: SLF001 - moto's own way to read a request
    is_new = name not in backend.dashboards
    answer = original()
    tags = response._get_param("Tags", [])  # noqa: SLF001 - moto's own way to read a request
    if is_new and tags:
        backend.tagger.tag_resource(backend.dashboards[name].arn, tags)
    return answer


@override(CloudWatchBackend, "tag_resource")
def tag_dashboards_too(original: Any, backend: Any, arn: str, tags: dict[str, str]) -> Any:
    if arn in {dashboard.arn for dashboard in backend.dashboards.values()}:
        return backend.tagger.tag_resource(arn, backend.tagger.convert_dict_to_tags_input(tags))
    return original(arn, tags)


@override(CloudWatchBackend, "delete_dashboards")
def forget_tags(original: Any, backend: Any, dashboards: list[str]) -> Any:
    arns = [backend.dashboards[name].arn for name in dashboards if name in backend.dashboards]
    answer = original(dashboards)
    for arn in arns:
        backend.tagger.delete_all_tags_for_resource(arn)
    return answer


@override(CloudWatchBackend, "delete_alarms")
def forget_tags_of_alarms(original: Any, backend: Any, alarm_names: list[str]) -> Any:
    arns = [backend.alarms[name].alarm_arn for name in alarm_names if name in backend.alarms]
    answer = original(alarm_names)
    for arn in arns:
        backend.tagger.delete_all_tags_for_resource(arn)
    return answer
