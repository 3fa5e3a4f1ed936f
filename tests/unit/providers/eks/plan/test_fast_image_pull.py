"""`fast_image_pull` of a node group is in the user data of its nodes, and of no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


def test_only_the_group_that_asks_for_it_pulls_in_parallel(plan_of: Callable[..., Any]) -> None:
    usual = plan_of("train-trn2").kubernetes.node_groups
    groups = plan_of("train-trn2", {"eks.node_groups.1.fast_image_pull": True}).kubernetes.node_groups
    spec = json.loads(groups[1].bootstrap.node_config)["spec"]
    before = json.loads(usual[1].bootstrap.node_config)["spec"]
    assert spec == {**before, "featureGates": {"FastImagePull": True}}
    assert groups[0].bootstrap == usual[0].bootstrap
