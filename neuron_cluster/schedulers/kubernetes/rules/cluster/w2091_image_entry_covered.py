from __future__ import annotations

from collections.abc import Sequence

from local_kubernetes.model.allowed_images import is_covered
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ImageEntryCovered(Rule):
    """No entry of the images of a team allows what another one allows already (`teams[].images`).

    Without this check AWS reports no error. Who removes one of the two expects that its images are no longer allowed.
    """

    id = "W2091"
    source = "https://kubernetes.io/docs/concepts/containers/images/#image-names"

    def check(self, context: RuleContext) -> Violations:
        for number, team in enumerate(context.environment.config.teams):
            entries = team.images or []
            for position in range(len(entries)):
                other = _covering(position, entries)
                if other is not None:
                    path = ("teams", number, "images")
                    yield Violation((*path, position), *_texts(position, other, entries), related=((*path, other),))


def _texts(position: int, other: int, entries: Sequence[str]) -> tuple[str, str]:
    """Message and hint."""
    entry, wider = entries[position], entries[other]
    if wider == entry:
        return f"{entry} is listed twice, at positions {other + 1} and {position + 1}", "remove this entry"
    return (
        f"{wider} (position {other + 1}) allows every image that {entry} allows",
        f"remove this entry; or remove {wider}, if images beyond {entry} should not be allowed",
    )


def _covering(position: int, entries: Sequence[str]) -> int | None:
    """Position of the first entry that covers this one; of two equal ones the first covers the second."""
    entry = entries[position]
    found = (
        other
        for other, each in enumerate(entries)
        if other != position and is_covered(entry, each) and (each != entry or other < position)
    )
    return next(found, None)
