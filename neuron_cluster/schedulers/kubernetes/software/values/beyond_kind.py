"""Requirements on a chart's values beyond their kind: counts of pods, tags, resources, Kueue's configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, ValidationError

from local_kubernetes.model.names import NAMESPACE_LABEL, SYSTEM_NAMESPACE
from local_kubernetes.model.quantity import quantity
from neuron_cluster.catalog.chart import ALGORITHM, Chart, DigestKey
from neuron_cluster.config.document import read_document
from neuron_cluster.config.scalars import typed

COUNTS = ("replicas", "replicaCount", "minReplicas", "maxReplicas")
CONFIGURATION = ("kueue", "managerConfig.controllerManagerConfigYaml")
RESOURCES = re.compile(r"cpu|memory|ephemeral-storage|hugepages-.+|.+/.+")
"""https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/: the core's own, and names with a
domain."""

ValueViolation = tuple[str, str]
"""Where, and what is wrong there."""


class ContainerResources(Struct, forbid_unknown_fields=True):
    """``resources`` of a container as Kubernetes reads them; rule E5042 reads the amounts."""

    requests: dict[str, str | int | float] = {}
    limits: dict[str, str | int | float] = {}
    claims: list[dict[str, str]] = []


def schema_violations(chart: Chart, path: str, value: Any) -> Iterator[ValueViolation]:
    """Yields the violations of one value that is of the kind that the chart expects."""
    above, _, last = path.rpartition(".")
    minimum = 1 if chart.webhooks == "fail" else 0
    if last in COUNTS and value < minimum:
        reason = ": its webhook rejects objects while none of its pods runs" if minimum else ""
        yield path, f"at least {minimum} is needed{reason}; {value} was given"
    elif last == "tag" and value in ("", "latest"):
        yield path, f"an immutable tag is needed; the text {value!r} was given"
    elif (key := chart.digest_key(path)) is not None:
        yield from _digest_violations(key, value)
    elif (chart.name, path) == CONFIGURATION:
        yield from _configuration_violations(path, value, chart.namespace)
    elif isinstance(value, Mapping) and "resources" in (last, above.rpartition(".")[2]):
        yield from _resources_violations(path, value)


def _digest_violations(key: DigestKey, value: str) -> Iterator[ValueViolation]:
    """An empty text is the default of charts: no digest."""
    if value and not re.fullmatch(rf"{ALGORITHM if key.algorithm else ''}[0-9a-f]{{64}}", value):
        form = f"{ALGORITHM} and then " if key.algorithm else ""
        adds = "" if key.algorithm else f", without {ALGORITHM}, which the chart writes before them,"
        yield key.path, f"{form}64 hexadecimal digits{adds} are needed; the text {value!r} was given"


def violation_of(error: ValidationError, path: str = "") -> ValueViolation:
    """Returns the violation of a value that a model could not read, at its place below ``path``."""
    reason, _, place = str(error).partition(" - at ")
    unknown = re.search(r"unknown field `([^`]*)`", reason)
    found = [*re.findall(r"[^.\[\]`$]+", place), *([unknown[1]] if unknown is not None else [])]
    return ".".join([*([path] if path else []), *found]), reason


def _resources_violations(path: str, value: Mapping[str, Any]) -> Iterator[ValueViolation]:
    try:
        resources = msgspec.convert(value, ContainerResources)
    except ValidationError as error:
        yield violation_of(error, path)
        return
    for side, amounts in (("requests", resources.requests), ("limits", resources.limits)):
        for name, amount in amounts.items():
            if not RESOURCES.fullmatch(name):
                yield f"{path}.{side}.{name}", "is not a resource of Kubernetes: the API server rejects the pods"
            elif (read := quantity(amount)) is not None and read < 0:
                yield f"{path}.{side}.{name}", f"must not be negative; {amount} was given"


def _configuration_violations(path: str, text: str, namespace: str) -> Iterator[ValueViolation]:
    """The text replaces the toolkit's as a whole, so it must count as the queues do."""
    # Files without it need no model.
    from neuron_cluster.schedulers.kubernetes.software.values.kueue_configuration import NOT_COUNTED, KueueConfiguration

    document = read_document(text, path)
    if document.findings:
        yield from ((path, f"line {each.location.line}: {each.message}") for each in document.findings)
        return
    try:
        configuration = msgspec.convert(typed(document.tree), KueueConfiguration)
    except ValidationError as error:
        place, reason = violation_of(error)
        yield path, f"Kueue cannot read it: {reason}{f' at {place}' if place else ''}"
    else:
        excluded = configuration.resources.exclude_resource_prefixes if configuration.resources else ()
        if missing := [prefix for prefix in NOT_COUNTED if prefix not in (excluded or ())]:
            reason = "the quotas of the queues count only devices, so no job would be admitted"
            yield path, f"resources.excludeResourcePrefixes lacks {', '.join(missing)}: {reason}"
        selector = configuration.managed_jobs_namespace_selector
        if managed := [name for name in (SYSTEM_NAMESPACE, namespace) if selector.matches({NAMESPACE_LABEL: name})]:
            reason = "Kueue does not start with such a selector"
            yield path, f"managedJobsNamespaceSelector selects {' and '.join(managed)}: {reason}"
