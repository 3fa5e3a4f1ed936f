"""Who changed a resource, by CloudTrail: the newest event of an operation of its type that names it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from datetime import timedelta

from msgspec.structs import replace

from neuron_cluster.aws.reading import NotRead, reading
from neuron_cluster.aws.session import Target
from neuron_cluster.aws.trail import TrailEvent, events_named
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.drift_type import DriftType
from neuron_cluster.drift.records import ChangedBy, Drift, DriftKind, EnvironmentDrift

DAYS_KEPT = 90
"""https://docs.aws.amazon.com/awscloudtrail/latest/userguide/view-cloudtrail-events.html"""
MOST_OPERATIONS = 40
"""Operations that are looked up: two a second."""
DELETION = re.compile("Delete|Terminate|Schedule")


def with_changed_by(found: EnvironmentDrift, target: Target, catalog: Catalog) -> EnvironmentDrift:
    """Each difference with its event. The first call that fails ends the search: the reason is in ``trail``."""
    since = found.at - timedelta(days=DAYS_KEPT)
    events: dict[str, list[TrailEvent]] = {}
    for name, region in _operations(found.drifts, catalog).items():
        place = replace(target, region=region) if region else target
        answer = reading("cloudtrail", functools.partial(events_named, place, name, since))
        if isinstance(answer, NotRead):
            return replace(found, trail=answer)
        events[name] = answer
    drifts = tuple(replace(drift, changed_by=_changed_by(drift, events, catalog)) for drift in found.drifts)
    return replace(found, drifts=drifts, calls=found.calls + len(events))


def _operations(drifts: Iterable[Drift], catalog: Catalog) -> Mapping[str, str]:
    """Names of events that may explain one of the differences, each with the Region that has them."""
    found: dict[str, str] = {}
    for drift in drifts:
        row = catalog.drift_types.get(drift.type)
        for name in _names(drift, row):
            found[name] = row.events_region if row is not None else ""
    return dict(list(found.items())[:MOST_OPERATIONS])


def _names(drift: Drift, row: DriftType | None) -> tuple[str, ...]:
    """Names of the events that may explain a difference."""
    if row is None:
        return ()
    if drift.kind is DriftKind.DELETED:
        return tuple(name for name in row.events if DELETION.match(name))
    return row.events_of.get(drift.property.strip("/").partition("/")[0], row.events)


def _changed_by(drift: Drift, events: Mapping[str, Iterable[TrailEvent]], catalog: Catalog) -> ChangedBy | None:
    mine = [event for name in _names(drift, catalog.drift_types.get(drift.type)) for event in events.get(name, ())]
    names = [part for part in re.split(r"[|]|/(?=[^/]*$)", drift.physical_id) if part]
    matching = [each for each in mine if not each.is_of_cloudformation and all(part in each.text for part in names)]
    newest = max(matching, key=lambda event: event.at, default=None)
    return ChangedBy(newest.who, newest.name, newest.at) if newest is not None else None
