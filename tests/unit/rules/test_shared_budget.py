"""The hint about a budget of a team that shares node groups."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.pipeline import check_environment

SHIPPED = Path(__file__).parents[3] / "environments" / "research-teams.yaml"


@pytest.mark.parametrize("has_quota", [True, False])
def test_the_hint_names_usage_for_a_team_with_a_share_of_a_queue(tmp_path: Path, *, has_quota: bool) -> None:
    quota = "quota: [{node_group: trn1, devices: 16}]" if has_quota else ""
    keys = ["members: []", "namespaces: [{name: extra}]", quota, "budget: {usd_month: 9, notify: [a@example.com]}"]
    team = "\n  - name: extra\n" + "".join(f"    {key}\n" for key in keys)
    (tmp_path / "research-teams.yaml").write_text(SHIPPED.read_text().rstrip() + team)
    found = check_environment(tmp_path / "research-teams.yaml").findings
    (hint,) = [each.hint for each in found if each.id == "E6514"]
    assert ("`neuron-cluster usage research-teams --context research-teams`" in hint) == has_quota
