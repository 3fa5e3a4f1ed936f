"""The stacks of teams: one manifest for each namespace, and access entries without an access policy."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.every_run import in_every_run
from tests.five_teams import FIVE, NAMES, team, with_teams

Templates = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def five(templates_of: Callable[..., Templates]) -> Templates:
    return templates_of("train-trn1", with_teams())


def _of_type(template: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {name: each for name, each in template["Resources"].items() if each["Type"] == kind}


def test_the_stack_of_teams_has_a_manifest_for_each_namespace(five: Templates) -> None:
    manifests = _of_type(five["teams"], "Custom::AWSCDK-EKS-KubernetesResource").values()
    objects = [_objects(one) for one in manifests]
    of_namespaces = [made for made in objects if made[0]["kind"] == "Role"]
    assert [len(of_namespaces), len(objects)] == [len(NAMES), 2 * len(NAMES)]
    assert {each["metadata"]["namespace"] for made in of_namespaces for each in made} == set(NAMES)


def _objects(manifest: Mapping[str, Any]) -> list[Any]:
    text = manifest["Properties"]["Manifest"]
    return list(json.loads(text if isinstance(text, str) else "".join(map(str, text["Fn::Join"][1]))))


def test_members_get_the_group_of_their_team_and_no_policy(five: Templates) -> None:
    entries = [
        each["Properties"]
        for each in _of_type(five["cluster"], "AWS::EKS::AccessEntry").values()
        if isinstance(each["Properties"]["PrincipalArn"], str)  # the function of CDK has one too
    ]
    groups = {each["PrincipalArn"].rpartition("/")[2]: each.get("KubernetesGroups") for each in entries}
    assert groups == {"platform-admin": None, **{name: [f"neuron-cluster:{name}"] for name in NAMES}}
    assert [each["PrincipalArn"].rpartition("/")[2] for each in entries if each.get("AccessPolicies")] == [
        "platform-admin"
    ]


def test_operators_of_one_team_change_its_namespace_alone_and_have_their_group(
    five: Templates, templates_of: Callable[..., Templates]
) -> None:
    arn = "arn:aws:iam::111122223333:role/research-operators"
    with_operators = [each | ({"operators": [arn]} if each["name"] == "research" else {}) for each in FIVE]
    found = templates_of("train-trn1", with_teams(with_operators))
    (entry,) = [
        each["Properties"]
        for each in _of_type(found["cluster"], "AWS::EKS::AccessEntry").values()
        if each["Properties"]["PrincipalArn"] == arn
    ]
    assert (entry["KubernetesGroups"], entry.get("AccessPolicies")) == (["neuron-cluster:research:operators"], None)
    old, new = (_of_type(each["teams"], "Custom::AWSCDK-EKS-KubernetesResource") for each in (five, found))
    (changed,) = [name for name in old if old[name] != new[name]]
    before, after = (_objects(each[changed]) for each in (old, new))
    assert [each["metadata"]["namespace"] for each in after if each not in before] == ["research"] * 3
    assert [each for each in before if each not in after] == []


def test_a_principal_that_moves_from_viewers_to_a_team_keeps_its_access_entry(
    five: Templates, template_of: Callable[..., Any]
) -> None:
    arn = "arn:aws:iam::111122223333:role/research"
    before = template_of("train-trn1", "cluster", {"eks.access.viewers": [arn]})

    def entry(template: Mapping[str, Any]) -> list[str]:
        entries = _of_type(template, "AWS::EKS::AccessEntry").items()
        return [name for name, each in entries if each["Properties"]["PrincipalArn"] == arn]

    assert entry(before) == entry(five["cluster"]) != []


@pytest.mark.parametrize("name", in_every_run(NAMES, NAMES[:1]))
def test_without_one_team_the_resources_of_the_others_are_byte_equal(
    five: Templates, templates_of: Callable[..., Templates], name: str
) -> None:
    fewer = templates_of("train-trn1", with_teams([each for each in FIVE if each["name"] != name]))
    changed = {
        (stack, logical_id)
        for stack, template in five.items()
        for logical_id, resource in template["Resources"].items()
        if resource != fewer[stack]["Resources"].get(logical_id)
    }
    others = [each for each in NAMES if each != name]
    assert not [each for each in changed if any(other in each[1].lower() for other in others)]
    assert [each for each in changed if name in each[1].lower()]


def test_node_groups_and_storage_do_not_change_with_teams(
    five: Templates, templates_of: Callable[..., Templates]
) -> None:
    alone = templates_of("train-trn1", {"eks.node_groups.1.queue": "training"})
    for stack_key in ("network", "storage", "system", "nodes"):
        assert five[stack_key] == alone[stack_key], stack_key


def test_a_team_with_two_namespaces_loses_the_objects_of_one_alone(template_of: Callable[..., Any]) -> None:
    two = template_of("train-trn1", "teams", with_teams([team("research", namespaces=[{"name": "a"}, {"name": "b"}])]))
    one = template_of("train-trn1", "teams", with_teams([team("research", namespaces=[{"name": "a"}])]))
    (both, left) = (set(each["Resources"]) for each in (two, one))
    assert left < both
    assert {name for name in both - left if not name.startswith("Team")} == set()


def test_the_images_of_a_team_are_one_resource_more_and_change_no_other(
    five: Templates, templates_of: Callable[..., Templates]
) -> None:
    listed = [each | ({"images": ["public.ecr.aws/neuron/"]} if each["name"] == "speech" else {}) for each in FIVE]
    found = templates_of("train-trn1", with_teams(listed))
    assert {stack_key: each for stack_key, each in found.items() if stack_key != "teams"} == {
        stack_key: each for stack_key, each in five.items() if stack_key != "teams"
    }
    old, new = (each["teams"]["Resources"] for each in (five, found))
    assert {name: new[name] for name in old} == old
    (added,) = new.keys() - old.keys()
    assert [each["kind"] for each in _objects(new[added])] == [
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
    ]
