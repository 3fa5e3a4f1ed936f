"""The scheduler's questions, each with an answer that is yes and one that is no."""

from __future__ import annotations

from typing import Any

import pytest
from scheduling_examples import NEURON_TAINT, messages, node, pod, toleration, wants

from local_kubernetes.model.placement import NodeSelectorRequirement, Taint, Toleration, tolerates
from local_kubernetes.model.scheduling.filters import doubts_about, unschedulable_reasons


def test_a_pod_that_asks_for_nothing_special_fits() -> None:
    assert messages(pod(), node()) == ()


@pytest.mark.parametrize(
    ("requirement", "answer"),
    [
        (wants("team", "In", "blue", "red"), True),
        (wants("team", "In", "blue"), False),
        (wants("none", "In", "red"), False),
        (wants("team", "NotIn", "blue"), True),
        (wants("team", "NotIn", "red"), False),
        (wants("none", "NotIn", "red"), True),
        (wants("team", "Exists"), True),
        (wants("none", "Exists"), False),
        (wants("none", "DoesNotExist"), True),
        (wants("team", "DoesNotExist"), False),
        (wants("rack", "Gt", "6"), True),
        (wants("rack", "Gt", "7"), False),
        (wants("rack", "Lt", "8"), True),
        (wants("team", "Lt", "8"), False),
        (wants("none", "Gt", "1"), False),
    ],
)
def test_each_operator_of_an_affinity(requirement: NodeSelectorRequirement, answer: bool) -> None:
    assert requirement.matches(node().labels.get(requirement.key)) is answer


def test_a_selector_that_no_label_meets_says_what_the_nodes_have() -> None:
    (reason,) = messages(pod(node_selector={"team": "blue"}), node())
    assert reason == "its node selector requires team=blue, the nodes have team=red"


def test_one_term_of_an_affinity_is_enough() -> None:
    blue, seven = (wants("team", "In", "blue"),), (wants("rack", "In", "7"),)
    assert messages(pod(affinity=(blue, seven)), node()) == ()
    (reason,) = messages(pod(affinity=(blue, (*seven, *blue))), node())
    assert reason == "its affinity requires team to be blue; or team to be blue, the nodes have team=red"


def test_a_term_without_a_requirement_matches_no_node() -> None:
    """https://kubernetes.io/docs/reference/kubernetes-api/: a null or empty node selector term matches no objects."""
    assert messages(pod(affinity=((),)), node())


def test_a_long_list_is_cut_and_counted() -> None:
    (reason,) = messages(pod(affinity=((wants("team", "In", "a", "b", "c", "d"),),)), node())
    assert "a, b, c, … (4 values)" in reason


@pytest.mark.parametrize(
    ("given", "answer"),
    [
        (toleration(None), True),
        (toleration("aws.amazon.com/neuron"), True),
        (toleration("aws.amazon.com/neuron", "NoSchedule"), True),
        (toleration("aws.amazon.com/neuron", "NoExecute"), False),
        (toleration("aws.amazon.com/neuron", None, "true"), True),
        (toleration("aws.amazon.com/neuron", None, "false"), False),
        (toleration("other"), False),
    ],
)
def test_what_a_toleration_tolerates(given: Toleration, answer: bool) -> None:
    assert tolerates([given], NEURON_TAINT) is answer


def test_a_taint_that_is_not_tolerated_is_named_in_kubernetes_words() -> None:
    (reason,) = messages(pod(), node(taints=(NEURON_TAINT,)))
    assert reason == "does not tolerate the taint aws.amazon.com/neuron=true:NoSchedule"


def test_a_taint_that_only_prefers_keeps_nothing_away() -> None:
    assert messages(pod(), node(taints=(Taint("quiet", "", "PreferNoSchedule"),))) == ()


def test_more_than_a_node_has_is_a_reason_with_both_amounts() -> None:
    (reason,) = messages(pod(requests={"aws.amazon.com/neuron": 17}), node())
    assert reason == "requests 17 aws.amazon.com/neuron, but a node has 16 free"


def test_a_resource_that_a_node_does_not_know_is_not_offered() -> None:
    (reason,) = messages(pod(requests={"nvidia.com/gpu": 1}), node())
    assert reason == "requests 1 nvidia.com/gpu, which the nodes do not have"
    assert messages(pod(requests={"nvidia.com/gpu": 0}), node()) == ()


def test_what_is_not_known_is_a_doubt_and_no_reason() -> None:
    unsure = node(doubts={"zone": "only the account tells", "cpu": "no source says it"}, allocatable={"pods": 1})
    asks = pod(node_selector={"zone": "a"}, affinity=((wants("zone", "In", "a"),),), requests={"cpu": 1, "pods": 1})
    assert messages(asks, unsure) == ()
    assert doubts_about(asks, unsure) == ("zone: only the account tells", "cpu: no source says it")


def test_an_estimate_makes_a_reason_doubtful_up_to_the_upper_bound_of_a_node() -> None:
    estimated = node(doubts={"memory": "an estimate"}, upper_bounds={"memory": 9 * 1024**3})
    (close,) = unschedulable_reasons(pod(requests={"memory": 9 * 1024**3}), estimated)
    (far,) = unschedulable_reasons(pod(requests={"memory": 9 * 1024**3 + 1}), estimated)
    assert (close.doubt, far.doubt) == ("an estimate", None)


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ({"node_selector": {"team": "blue"}}, "labels"),
        ({"node_selector": {"node.kubernetes.io/instance-type": "x"}}, "instance_type"),
        ({"affinity": ((wants("node.kubernetes.io/instance-type", "In", "x"),),)}, "instance_type"),
        ({"requests": {"cpu": 10**6}}, "instance_type"),
    ],
)
def test_a_misfit_says_which_key_of_the_group_decides(said: dict[str, Any], key: str) -> None:
    (found,) = unschedulable_reasons(pod(**said), node())
    assert found.group_key == key
