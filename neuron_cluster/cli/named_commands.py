"""Commands in hints about a deploy name the environment: what compares templates does not know how it was given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from neuron_cluster.lock.lock_place import as_argument

if TYPE_CHECKING:
    from neuron_cluster.cli.environment import OpenedEnvironment
    from neuron_cluster.findings import Finding


def named_commands(findings: Iterable[Finding], opened: OpenedEnvironment, *, is_local: bool) -> tuple[Finding, ...]:
    """The findings with commands that can be run as they are, against the AWS that was asked."""
    destroy = f"neuron-cluster destroy{' --local' if is_local else ''} {as_argument(opened.file.shown_as)}"
    delete = f"--delete-data {opened.plan.name}"
    return tuple(
        msgspec.structs.replace(
            finding,
            hint=finding.hint.replace("neuron-cluster destroy NAME", destroy).replace("--delete-data NAME", delete),
        )
        for finding in findings
    )
