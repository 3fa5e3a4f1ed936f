"""Objects that an edit of a lifecycle rule deletes, in words: how many, of which size, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from neuron_cluster.aws.object_versions import Listing, ObjectVersion
from neuron_cluster.changes.expiry_rules import Sooner
from neuron_cluster.findings.text import counted, listed, size_text


def goes_sooner(change: Sooner, listing: Listing) -> bool:
    """Whether something that exists goes sooner. A first time for versions concerns only versions.

    Where the listing is not complete, versions may be in the rest.
    """
    is_first_of_versions = change.days is None and change.version_days_before is None
    if is_first_of_versions and listing.is_complete:
        return not all(each.is_current for each in listing.versions)
    return bool(listing.versions) or not listing.is_complete


def count_text(change: Sooner, listing: Listing) -> str:
    """``Counted below checkpoints/: 2 of 3 objects (1.5 GB) are older, the oldest of 2026-11-01; …``."""
    current = [each for each in listing.versions if each.is_current]
    older = [each for each in listing.versions if not each.is_current]
    parts = []
    if change.days is not None:
        parts.append(_aged(current, "object", change.days))
    if change.version_days is not None:
        parts.append(_aged(older, "older version", change.version_days))
    where = f" below {change.prefix}" if change.prefix else ""
    narrowed = ", without its filter by tag or size" if change.others else ""
    return f"Counted{where}{narrowed}: {listed(parts)}{_more(listing)}"


def mirror_count_text(prefix: str, listing: Listing) -> str:
    """``Counted below checkpoints/: 3 objects (1.5 GB)``."""
    current = [each for each in listing.versions if each.is_current]
    return f"Counted below {prefix}: {counted(len(current), 'object')} ({_size(current)}){_more(listing)}"


def _aged(versions: Sequence[ObjectVersion], noun: str, days: int) -> str:
    """How many have the age now, and when the last of the others has it."""
    age = timedelta(days=days)
    first = datetime.now(UTC) - age
    gone = [each for each in versions if each.since <= first]
    if not versions:
        return f"no {noun}"
    text = (
        f"{len(gone)} of {counted(len(versions), noun)} ({_size(gone)}) {'has' if len(gone) == 1 else 'have'} the age"
    )
    if gone:
        text += f", the first since {min(each.since for each in gone) + age:%Y-%m-%d}"
    if len(gone) < len(versions):
        text += f"; the last of the others has it on {max(each.since for each in versions) + age:%Y-%m-%d}"
    return text


def _size(versions: Sequence[ObjectVersion]) -> str:
    return size_text(sum(each.size for each in versions))


def _more(listing: Listing) -> str:
    return "" if listing.is_complete else ", and more that was not listed"
