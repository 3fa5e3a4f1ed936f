"""Operators of a team: what their Role adds to that of members, and what neither of the two has."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from neuron_cluster.schedulers.kubernetes.software.team_roles import operator_objects, operator_role, role

ALLOWED = {
    ("create", "networking.k8s.io", "networkpolicies"),
    ("delete", "networking.k8s.io", "networkpolicies"),
    ("create", "", "serviceaccounts"),
    ("delete", "", "serviceaccounts"),
    ("create", "", "pods/eviction"),
    ("patch", "kueue.x-k8s.io", "localqueues"),
    ("list", "rbac.authorization.k8s.io", "rolebindings"),
}
READS = {"get", "list", "watch"}
ONLY_READ = (
    ("", "limitranges"),
    ("", "resourcequotas"),
    ("rbac.authorization.k8s.io", "rolebindings"),
    ("rbac.authorization.k8s.io", "roles"),
)
NEVER = (
    ("", "namespaces"),
    ("", "serviceaccounts/token"),
    ("", "users"),
    ("kueue.x-k8s.io", "clusterqueues"),
    ("rbac.authorization.k8s.io", "clusterroles"),
    ("rbac.authorization.k8s.io", "clusterrolebindings"),
)


def permissions(*roles: Mapping[str, Any]) -> set[tuple[str, str, str]]:
    return {
        each
        for one in roles
        for rule in one["rules"]
        for each in itertools.product(rule["verbs"], rule["apiGroups"], rule["resources"])
    }


def verbs(found: set[tuple[str, str, str]], group: str, resource: str) -> set[str]:
    return {verb for verb, *place in found if place == [group, resource]}


def test_operators_may_run_the_namespace_and_members_may_not() -> None:
    added = permissions(operator_role("research")) - permissions(role("research"))
    assert added >= ALLOWED


def test_no_permission_of_an_operator_gives_more_than_it_names() -> None:
    found = permissions(role("research"), operator_role("research"))
    assert {verb for verb, *_ in found} <= READS | {"create", "update", "patch", "delete", "deletecollection"}
    assert not any("*" in part for each in found for part in each)
    assert {place: verbs(found, *place) for place in ONLY_READ} == dict.fromkeys(ONLY_READ, READS)
    assert {place: verbs(found, *place) for place in NEVER} == {place: set() for place in NEVER}


def test_an_operator_changes_no_other_queue_than_one_that_exists() -> None:
    found = permissions(role("research"), operator_role("research"))
    assert verbs(found, "kueue.x-k8s.io", "localqueues") == READS | {"update", "patch"}


def test_the_group_of_operators_alone_is_bound_to_both_roles() -> None:
    _, *bindings = operator_objects("research", "neuron-cluster:research:operators")
    assert sorted(each["roleRef"]["name"] for each in bindings) == ["neuron-cluster-operators", "neuron-cluster-team"]
    assert {subject["name"] for each in bindings for subject in _subjects(each)} == {
        "neuron-cluster:research:operators"
    }


def _subjects(binding: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return list(binding["subjects"])
