"""Every change guard is complete, and E9008 leads to the two checks that once had its id."""

from __future__ import annotations

import re

import pytest

from neuron_cluster.changes.guards.base import Guard
from neuron_cluster.changes.guards.run import all_guards
from neuron_cluster.findings.registry import finding_specs


@pytest.mark.parametrize("guard", all_guards(), ids=lambda guard: str(guard.id))
def test_a_guard_has_an_id_a_title_a_reason_and_a_source(guard: Guard) -> None:
    assert re.fullmatch(r"[EW]90[0-9]{2}|W9504|[EW]95(7[6-9]|80)", guard.id)
    spec = finding_specs()[guard.id]
    assert re.fullmatch(r"[^.]+(\.[a-z_]+[^.]*)*\.", spec.title)
    assert spec.reason
    assert spec.source.startswith(("https://", "the design of this toolkit"))


def test_the_check_of_names_leads_to_the_checks_of_groups_and_subnets() -> None:
    assert {"E9021", "E9022"} <= set(re.findall(r"E90[0-9]{2}", finding_specs()["E9008"].reason))
    for name in ("E9021", "E9022"):
        assert "E9008" in finding_specs()[name].reason
