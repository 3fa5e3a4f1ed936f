"""The one table of checks that `deploy` and `preflight` run."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.preflight.account import preflight_context
from neuron_cluster.deploy.preflight.check import Stage
from neuron_cluster.deploy.preflight.table import preflight_checks
from neuron_cluster.opened_environment import opened_environment
from neuron_cluster.protocol.preflight import Part
from tests.every_run import in_every_run

CHECKOUT = Path(__file__).parents[3]
NAMES = sorted(file.stem for file in (CHECKOUT / "environments").glob("*.yaml"))
OF_PLAN = {Stage.ACCOUNT, Stage.PINS}


@pytest.mark.parametrize("name", in_every_run(NAMES, ("train-trn1", "slurm-trn1", "train-trn2", "existing-vpc")))
def test_a_check_without_a_subject_asks_nothing_and_finds_nothing(name: str) -> None:
    """An answer would be an error: no server listens there."""
    opened = opened_environment(name, str(CHECKOUT), is_local=True)
    destination = local_destination("http://127.0.0.1:9", opened.plan.account, opened.plan.region)
    context = preflight_context(opened, destination)
    needless = [check for check in preflight_checks() if check.stage in OF_PLAN and not check.subjects(context)]
    assert needless, "no environment needs all"
    assert [(check.what, found) for check in needless for found in check.check(context)] == []


def test_every_part_has_a_check_and_every_check_a_name_of_its_own() -> None:
    checks = preflight_checks()
    assert {check.part for check in checks} == set(Part)
    assert len({check.what for check in checks}) == len(checks)
    assert {check.stage for check in checks} == set(Stage)
