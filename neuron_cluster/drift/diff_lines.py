"""The drift of what a deploy changes, as lines of `diff`."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.drift.findings import by_text, difference_text, edit_text, not_read_text
from neuron_cluster.drift.records import DeployEffect, Drift, EnvironmentDrift

NONE = ("none", "the resources that a deploy changes are as CloudFormation deployed them")


def drift_lines(found: EnvironmentDrift) -> tuple[tuple[str, str], ...]:
    """A line for each difference, with the effect of the deploy, and for each reason not to know."""
    lines = [(_name(drift), _words(drift)) for drift in found.drifts]
    lines += _not_read(found)
    return tuple(lines) or (NONE,)


def _name(drift: Drift) -> str:
    return f"{drift.stack}/{drift.logical_id}{drift.property}"


def _words(drift: Drift) -> str:
    sentence = f"{difference_text(drift)}{by_text(drift)}; a deploy {_effect(drift)}"
    return sentence if drift.edit is None else f"{sentence}; to keep it: {edit_text(drift.edit)}"


def _effect(drift: Drift) -> str:
    effect, reason = drift.next_deploy.effect, drift.next_deploy.reason
    return f"leaves it: {reason}" if effect is DeployEffect.NOTHING else f"{effect}: {reason}"


def _not_read(found: EnvironmentDrift) -> Iterator[tuple[str, str]]:
    for part in found.uncompared:
        names = f"{len(part.resources)} resources: {part.reason}" if part.is_never_read else not_read_text(part)
        yield "not read", names
