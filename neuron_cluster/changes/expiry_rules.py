"""Lifecycle rules of S3 buckets: when objects and older versions are deleted, and what an edit makes sooner.

S3 applies the shortest time of all rules that cover an object, and deletes at its next daily run what is already
older. Rules with a date are left out: no template of the toolkit has one.
Source: https://docs.aws.amazon.com/AmazonS3/latest/userguide/lifecycle-conflicts.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from local_kubernetes.model.fields import at, items
from neuron_cluster.changes.effects import normal_text

OTHER_FILTERS = ("TagFilters", "ObjectSizeGreaterThan", "ObjectSizeLessThan")
"""Properties of a rule that narrow it in addition to the prefix."""
PREFIX_OF_FILTER = ("Prefix",)


class ExpiryRule(Struct, frozen=True):
    """An enabled rule that deletes something. Times are in days."""

    prefix: str
    others: str
    """Its filters by tag and size as text; empty without any."""
    days: int | None
    """After the write of a current version."""
    version_days: int | None
    """After a version is no longer the current one."""
    newer_versions: int = 0
    """Newer noncurrent versions that are kept in any case."""
    id: str = ""


class Sooner(Struct, frozen=True):
    """Objects below one prefix that S3 deletes earlier after an edit. Times are in days; None in ``before``: never."""

    prefix: str
    others: str
    days: int | None
    days_before: int | None
    version_days: int | None
    version_days_before: int | None
    rule: str = ""
    """Id of the rule that deletes it."""


def rules_of_template(configuration: Any) -> list[ExpiryRule]:
    """The rules of a property ``LifecycleConfiguration`` in the normal form."""
    found = (rule for rule in items(at(configuration, "Rules")) if at(rule, "Status") == "Enabled")
    return [rule for rule in map(_of_template, found) if rule.days is not None or rule.version_days is not None]


def rules_of_bucket(rules: Sequence[Mapping[str, Any]]) -> list[ExpiryRule]:
    """The rules that GetBucketLifecycleConfiguration returns."""
    found = [_of_bucket(rule) for rule in rules if rule.get("Status") == "Enabled"]
    return [rule for rule in found if rule.days is not None or rule.version_days is not None]


def sooner(before: Sequence[ExpiryRule], after: Sequence[ExpiryRule]) -> Iterator[Sooner]:
    """Yields the earlier deletions of the rules after an edit, rule by rule."""
    for rule in after:
        covering = [each for each in before if _covers(each, rule)]
        days = _earlier(rule.days, [each.days for each in covering])
        kept = [each.version_days for each in covering if each.newer_versions <= rule.newer_versions]
        versions = _earlier(rule.version_days, kept)
        if days or versions:
            yield Sooner(
                rule.prefix,
                rule.others,
                rule.days if days else None,
                min((each.days for each in covering if each.days is not None), default=None),
                rule.version_days if versions else None,
                min((each for each in kept if each is not None), default=None),
                rule.id,
            )


def _covers(one: ExpiryRule, other: ExpiryRule) -> bool:
    return other.prefix.startswith(one.prefix) and one.others in ("", other.others)


def _earlier(after: int | None, before: Sequence[int | None]) -> bool:
    return after is not None and not any(each is not None and each <= after for each in before)


def _of_template(rule: Any) -> ExpiryRule:
    versions = at(rule, "NoncurrentVersionExpiration")
    others = {key: at(rule, key) for key in OTHER_FILTERS if at(rule, key) is not None}
    return ExpiryRule(
        prefix=str(at(rule, "Prefix") or ""),
        others=normal_text(others) if others else "",
        days=_days(at(rule, "ExpirationInDays")),
        version_days=_days(at(versions, "NoncurrentDays") or at(rule, "NoncurrentVersionExpirationInDays")),
        newer_versions=_days(at(versions, "NewerNoncurrentVersions")) or 0,
        id=str(at(rule, "Id") or ""),
    )


def _of_bucket(rule: Mapping[str, Any]) -> ExpiryRule:
    narrowed = rule.get("Filter", {})
    narrowed = {**narrowed, **narrowed.get("And", {})}
    others = {key: value for key, value in narrowed.items() if key not in ("Prefix", "And")}
    versions = rule.get("NoncurrentVersionExpiration", {})
    return ExpiryRule(
        prefix=rule.get("Prefix") or narrowed.get("Prefix") or "",
        others=normal_text(others) if others else "",
        days=rule.get("Expiration", {}).get("Days"),
        version_days=versions.get("NoncurrentDays"),
        newer_versions=versions.get("NewerNoncurrentVersions", 0),
        id=rule.get("ID", ""),
    )


def _days(value: Any) -> int | None:
    return int(value) if isinstance(value, str) and value.isdecimal() else None
