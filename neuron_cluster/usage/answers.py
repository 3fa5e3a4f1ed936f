"""Answers of Prometheus to range queries (https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from neuron_cluster.errors import ToolkitError

MOST = 10**9
"""Devices of a cluster, a thousand times those of a quota at most."""


class Series(Struct, frozen=True):
    """Labels, and values by second since 1970; a time without a value is absent."""

    labels: Mapping[str, str]
    values: Mapping[int, float]


def series_of(answer: Any, what: str) -> tuple[Series, ...]:
    """The series of an answer; none where Prometheus has none. ``what`` names the query.

    Raises ``ToolkitError`` for an error of Prometheus, and for what is not its answer.
    """
    if isinstance(answer, Mapping) and answer.get("status") == "error":
        raise ToolkitError(f"Prometheus rejects the query {what}: {answer.get('error', 'without a message')}")
    try:
        return _series(answer)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        message = f"{what} is not the answer of Prometheus to a range query"
        hint = "check the address: it is that of Prometheus itself, such as http://localhost:9090"
        raise ToolkitError(message, hint=hint) from error


def _series(answer: Any) -> tuple[Series, ...]:
    data = answer["data"]
    if answer["status"] != "success" or data["resultType"] != "matrix":
        raise ValueError(data["resultType"])
    return tuple(Series(dict(each["metric"]), _values(each["values"])) for each in data["result"])


def _values(pairs: Any) -> dict[int, float]:
    read = {int(time): float(text) for time, text in pairs}
    finite = {time: value for time, value in read.items() if math.isfinite(value)}
    impossible = [value for value in read.values() if value < 0] + [each for each in finite.values() if each > MOST]
    if impossible:  # no metric can be negative, and none is larger than a cluster
        raise ValueError(impossible[0])
    return finite
