"""Dashboards: a name and a body that fit their structure, and tags, which moto keeps of alarms only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from moto.cloudwatch.models import CloudWatchBackend
from moto.cloudwatch.responses import CloudWatchResponse

from local_aws.api_errors import api_error
from local_aws.contract import Call
from local_aws.knowledge.current import limit
from local_aws.registry import guard
from local_aws.services.cloudwatch.alarms import is_statistic
from local_aws.services.overrides import override

REQUIRED = {"text": "markdown", "alarm": "alarms"}
"""The required property of a widget, by its type."""
PERIODS = (1, 5, 10, 20, 30)
MINUTE = 60
Fault = tuple[str, str]
"""The path of a value in the body, and what is wrong with it."""


@guard("cloudwatch", "PutDashboard")
def require_dashboard(call: Call) -> None:
    try:
        body = json.loads(call.parameters["DashboardBody"])
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise api_error("cloudwatch.dashboard_body")
    if faults := [{"dataPath": path, "message": message} for path, message in _body_faults(body)]:
        raise api_error("cloudwatch.dashboard_faults", number=len(faults), faults=json.dumps(faults))


def _body_faults(body: Mapping[str, Any]) -> Iterator[Fault]:
    if "widgets" not in body:
        yield "/", "Should have required property 'widgets'"
    elif not isinstance(body["widgets"], list):
        yield "/widgets", "Should be array"
    else:
        for number, widget in enumerate(body["widgets"]):
            yield from _widget_faults(f"/widgets/{number}", widget)


def _widget_faults(path: str, widget: Any) -> Iterator[Fault]:
    if not isinstance(widget, dict):
        yield path, "Should be object"
        return
    for member in ("type", "properties"):
        if member not in widget:
            yield path, f"Should have required property '{member}'"
    columns = limit("cloudwatch_dashboard_columns").require_maximum()
    height = limit("cloudwatch_dashboard_widget_height").require_maximum()
    for member, minimum, maximum in (
        ("x", 0, columns - 1),
        ("y", 0, None),
        ("width", 1, columns),
        ("height", 1, height),
    ):
        value = widget.get(member, minimum)
        if not _is_number(value):
            yield f"{path}/{member}", "Should be integer"
        elif value < minimum:
            yield f"{path}/{member}", f"Should be >= {minimum}"
        elif maximum is not None and value > maximum:
            yield f"{path}/{member}", f"Should be <= {maximum}"
    properties = widget.get("properties")
    if isinstance(properties, dict):
        yield from _property_faults(f"{path}/properties", widget.get("type"), properties)


def _property_faults(path: str, kind: Any, properties: Mapping[str, Any]) -> Iterator[Fault]:
    wanted = REQUIRED.get(kind)
    if wanted is not None and wanted not in properties:
        yield path, f"Should have required property '{wanted}'"
    has_source = isinstance(properties.get("metrics"), list) or isinstance(properties.get("annotations"), dict)
    if kind == "metric" and not (has_source and isinstance(properties.get("region"), str)):
        yield path, "The metric widget should have specified a region and a data source or an alarm annotation"
    period, statistic = properties.get("period"), properties.get("stat")
    if _is_number(period) and period not in PERIODS and (period <= 0 or period % MINUTE):
        yield f"{path}/period", "Should be multiple of 60"
    if isinstance(statistic, str) and not is_statistic(statistic):
        yield f"{path}/stat", "Should match pattern of a statistic"
    axes = properties.get("yAxis")
    for side, axis in axes.items() if isinstance(axes, dict) else ():
        minimum, maximum = (axis.get("min"), axis.get("max")) if isinstance(axis, dict) else (None, None)
        if _is_number(minimum) and _is_number(maximum) and minimum > maximum:
            yield f"{path}/yAxis/{side}/min", f"Should be <= {maximum}"


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


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
