"""Locks of data that AWS does not remove: the edit is rejected, or comes with a warning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.changes.compare import change_findings

CATALOG = load_catalog()

LOCK = "storage.checkpoint_bucket.object_lock"
SHORTEST = {"mode": "governance", "days": 1}
BACKUP = {
    "resources": ["checkpoint_bucket"],
    "rules": [{"name": "daily", "schedule": "cron(0 5 ? * * *)", "delete_after_days": 35}],
}


@pytest.mark.hints("E9047")
def test_object_lock_is_added_and_changed_but_never_removed(templates_of: Callable[..., Any]) -> None:
    without = templates_of("train-trn1", {}, "storage")
    locked = templates_of("train-trn1", {LOCK: {"mode": "compliance", "days": 30}}, "storage")
    assert change_findings(without, locked, CATALOG) == []
    (error,) = change_findings(locked, without, CATALOG)
    assert error.id == "E9047"
    assert "object_lock: {mode: compliance, days: 30}" in error.hint
    assert "object_lock: {mode: governance, days: 1}" in error.hint
    assert change_findings(locked, templates_of("train-trn1", {LOCK: SHORTEST}, "storage"), CATALOG) == []


@pytest.mark.hints("W9048")
def test_a_change_of_a_vault_lock_in_compliance_mode_is_a_warning(templates_of: Callable[..., Any]) -> None:
    def locked(**lock: int) -> Any:
        backup = {**BACKUP, "vault_lock": {"min_days": 7, **lock}}
        return templates_of("train-trn1", {"storage.backup": backup}, "storage")

    unlocked = templates_of("train-trn1", {"storage.backup": BACKUP}, "storage")
    compliance = locked(changeable_days=14)
    (warning,) = change_findings(compliance, unlocked, CATALOG)
    assert (warning.id, "changeable for 14 days" in warning.message) == ("W9048", True)
    assert warning.hint.startswith("keep vault_lock as it is deployed")
    assert [each.id for each in change_findings(compliance, locked(changeable_days=14, max_days=70), CATALOG)] == [
        "W9048"
    ]
    assert change_findings(locked(), unlocked, CATALOG) == []
    assert change_findings(compliance, compliance, CATALOG) == []
