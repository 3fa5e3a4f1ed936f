"""Tags of others are left out, unless a condition of a policy reads their key."""

from __future__ import annotations

from typing import Any

from neuron_cluster.drift.tags import keys_that_decide_access, without_other_tags

OWN = {"Key": "cost-center", "Value": "ml"}
OTHERS = {"Key": "backup", "Value": "daily"}
ACCESS = {"Key": "neuron-cluster:environment", "Value": "other"}


def test_keys_are_those_of_conditions_on_tags_of_resources() -> None:
    condition = {"StringEquals": {"ec2:ResourceTag/team": "a", "aws:ResourceTag/neuron-cluster:environment": "b"}}
    template = {"Resources": {"Role": {"Properties": {"Policies": [{"Condition": condition}]}}}}
    assert keys_that_decide_access([template]) == {"team", "neuron-cluster:environment"}


def test_a_tag_of_others_is_left_out_and_one_that_decides_access_is_not() -> None:
    actual: list[Any] = [OWN, OTHERS, ACCESS]
    assert without_other_tags("Tags", [OWN], actual, {"neuron-cluster:environment"}) == ([OWN], [OWN, ACCESS])


def test_other_properties_are_compared_as_they_are() -> None:
    assert without_other_tags("Rules", [OWN], [OTHERS], ()) == ([OWN], [OTHERS])
