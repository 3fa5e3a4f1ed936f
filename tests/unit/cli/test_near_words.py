"""Help and errors name what was meant: front ends of all charts, tasks and purposes; reasons are listed once."""

from __future__ import annotations

import pytest

from neuron_cluster.report.workloads_table import _folded
from neuron_cluster.schedulers.kubernetes.options import FRONT_ENDS
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES

from .conftest import Command


def test_the_help_of_front_end_names_those_of_all_bundled_charts() -> None:
    assert set(FRONT_ENDS) == {name for recipe in RECIPES.values() for name in recipe.front_ends}


def test_a_reason_of_several_groups_is_listed_once() -> None:
    reasons = [f"model-store has no front end that runs on {name} (Inf1)" for name in ("one", "two")]
    assert _folded([*reasons, "there is no Kubernetes cluster"]) == [
        "model-store has no front end that runs on one (Inf1) and two (Inf1)",
        "there is no Kubernetes cluster",
    ]


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("new", "probe", "--task", "train"), "unknown option --task; did you mean --purpose?"),
        (("recommend", "--purpose", "train"), "unknown option --purpose; did you mean --task?"),
        (("new", "probe", "--purpose", "inference"), "'inference' is not a purpose; did you mean serve?"),
        (("recommend", "--task", "inference"), "--task inference is unknown; did you mean serve?"),
    ],
)
def test_purpose_and_task_are_near_to_each_other(arguments: tuple[str, ...], near: str, command: Command) -> None:
    ran = command(*arguments)
    assert ran.status == 2
    assert near in " ".join(ran.err.split())
