"""Access of members of teams in an edit: the Kubernetes group of their team."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from neuron_cluster.changes.stack_set import StackSet
from neuron_cluster.providers.eks.changes.access import principals
from tests.five_teams import NAMES, with_teams


def test_members_of_teams_have_their_group_in_the_place_of_a_policy(templates_of: Callable[..., Any]) -> None:
    found = dict(principals(StackSet(templates_of("train-trn1", with_teams()))))
    of_people = {name.rpartition("/")[2]: access for name, access in found.items() if name.startswith("arn:")}
    assert of_people == {
        "platform-admin": "AmazonEKSClusterAdminPolicy",
        **{name: f"Kubernetes group neuron-cluster:{name}" for name in NAMES},
    }
