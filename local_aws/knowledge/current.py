"""The knowledge of the local AWS of this process: a process has one at a time, as moto has one state.

Where the caller of ``LocalAws`` gives none it is the vendored one: a JSON file a table, each row with its source.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from importlib import resources
from typing import Final, TypeVar

import msgspec

from local_aws.knowledge.knowledge import Knowledge, Row
from local_aws.knowledge.rows import Limit, ResourceSchema


class VendoredKnowledge(Knowledge):
    """Knowledge from the files in ``facts/``."""

    def rows(self, table: str, kind: type[Row]) -> Mapping[str, Row]:
        text = resources.files("local_aws.knowledge").joinpath("facts", f"{table}.json").read_bytes()
        return msgspec.json.decode(text, type=dict[str, kind])  # type: ignore[valid-type]  # the class is the argument


VENDORED: Final = VendoredKnowledge()
NO_SCHEMA: Final = ResourceSchema(name="", source="", checked_on=date.min)
KUBECTL_FUNCTION = "aws-cdk-lib"
"""The row of ``published_code`` with CDK's kubectl function; most others are kubectl layers, by their packages."""
BEFORE_EKS = timedelta(days=60)
"""AMIs of a Kubernetes version may be published this long before EKS offers the version; no source has one so early."""

Value = TypeVar("Value")
_current: list[Knowledge] = [VENDORED]
_caches: list[Callable[[], None]] = []


def knowledge() -> Knowledge:
    return _current[0]


def use(other: Knowledge) -> None:
    """From now on every answer of this process is by this knowledge."""
    if _current[0] is not other:
        _current[0] = other
        for clear in _caches:
            clear()


def kept_by_region(function: Callable[[str], Value]) -> Callable[[str], Value]:
    """Keeps what the function returns for a Region as long as the knowledge is the same."""
    cached = functools.cache(function)
    _caches.append(cached.cache_clear)
    return cached


def limit(name: str) -> Limit:
    """The limit of this name, which is written in code: an unknown one raises LookupError."""
    found = knowledge().limits.get(name)
    if found is None:
        raise LookupError(f"there is no limit {name!r}")
    return found


def resource_schema(type_name: str) -> ResourceSchema:
    """An empty one of a type without a schema."""
    return knowledge().resource_schemas.get(type_name, NO_SCHEMA)


def why_impossible(release_version: str) -> str | None:
    """Why no AMI of Amazon Linux can have this release version (``1.35.0-20200101``); None where one may have it."""
    patch, _, build = release_version.rpartition("-")
    try:
        day = date.fromisoformat(build)
    except ValueError:
        return f"{build} is not a day"
    minor = patch.rpartition(".")[0]
    version = knowledge().kubernetes_versions.get(minor)
    release = knowledge().ami_releases.get(build)
    if version is not None and day < version.released - BEFORE_EKS:
        return f"EKS offers Kubernetes {minor} since {version.released}"
    known = release.release_version(minor) if release is not None else None
    return f"the AMI of that day is {known}" if known is not None and known != release_version else None
