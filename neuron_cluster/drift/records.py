"""The result of a comparison of deployed templates with what services return."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from neuron_cluster.aws.reading import NotRead

NO_DRIFT, COULD_NOT_LOOK, HAS_DRIFT = 0, 1, 3
"""Exit statuses of `drift`."""


class Severity(enum.StrEnum):
    """How bad a difference is, the worst first."""

    ERROR = "error"
    """Data or access is protected by the property."""
    WARNING = "warning"


class DriftKind(enum.StrEnum):
    """The change of a resource outside of CloudFormation."""

    CHANGED = "changed"
    DELETED = "deleted"
    ADDED = "added"
    """A resource that no stack has, in one that a stack has."""


class DeployEffect(enum.StrEnum):
    """The effect of the next deploy of the file on a difference."""

    NOTHING = "nothing"
    PUTS_BACK = "puts it back"
    SETS = "sets another value"
    KEEPS = "keeps the actual value"
    REPLACES = "replaces the resource"
    REMOVES = "removes the resource"
    FAILS = "fails"
    UNKNOWN = "not known"


class NextDeploy(Struct, frozen=True):
    effect: DeployEffect
    reason: str


class ChangedBy(Struct, frozen=True):
    """An event of CloudTrail that explains a difference."""

    who: str
    event: str
    at: datetime


class FileEditHint(Struct, frozen=True):
    """The edit of the environment file with which the template would have the actual value."""

    path: tuple[str | int, ...]
    """The key, with positions in lists."""
    key: str
    """The same as it is written, an item of a list by its name."""
    before: Any
    after: Any


class Drift(Struct, frozen=True, kw_only=True):
    """One difference."""

    stack: str
    logical_id: str
    """Empty for a resource that no stack has."""
    type: str
    physical_id: str
    kind: DriftKind
    severity: Severity
    property: str = ""
    """``/BackupPlan/0/Rule``; empty for the resource as a whole."""
    place: tuple[str, ...] = ()
    """The steps of ``property``, of which the key of a mapping may have a slash in it."""
    template: Any = None
    """None where the template has none; so too for ``actual``."""
    actual: Any = None
    changed_by: ChangedBy | None = None
    next_deploy: NextDeploy = NextDeploy(DeployEffect.UNKNOWN, "the file was not synthesized")
    edit: FileEditHint | None = None


class Uncompared(Struct, frozen=True, kw_only=True):
    """Resources, or properties of them, that were not compared."""

    reason: str
    resources: tuple[str, ...]
    """``stack/LogicalId``, with ``/Property`` where the rest was compared."""
    call: str = ""
    """``s3:GetBucketPolicy``: the call that failed; empty where no call returns it."""
    is_denied: bool = False
    is_never_read: bool = False
    """Whether the catalog states that no service of AWS returns such resources: not a failure of this run."""


class EnvironmentDrift(Struct, frozen=True, kw_only=True):
    """The drift of an environment at one moment."""

    environment: str
    account: str
    region: str
    at: datetime
    stacks: tuple[str, ...]
    resources: int
    """Resources of the stacks that exist outside of their templates."""
    compared: int
    """Resources of which at least one property was compared."""
    drifts: tuple[Drift, ...]
    uncompared: tuple[Uncompared, ...]
    trail: NotRead | None = None
    """Why CloudTrail was not read; None where it was, or where there was no difference to explain."""
    calls: int = 0
    left_out: int = 0
    """Resources that were not to be read, because the command reads a part of the environment."""

    @property
    def is_complete(self) -> bool:
        """Whether everything was compared that services of AWS return."""
        return all(part.is_never_read for part in self.uncompared)

    def exit_status(self, fail_on: Severity) -> int:
        """3 for a difference as bad as ``fail_on`` or worse, 1 where something was not compared, else 0."""
        if any(drift.severity is Severity.ERROR or fail_on is Severity.WARNING for drift in self.drifts):
            return HAS_DRIFT
        return NO_DRIFT if self.is_complete else COULD_NOT_LOOK


def in_order(drifts: Sequence[Drift]) -> tuple[Drift, ...]:
    """The worst first, then by stack and resource."""
    order = list(Severity)
    return tuple(
        sorted(drifts, key=lambda each: (order.index(each.severity), each.stack, each.logical_id, each.property))
    )
