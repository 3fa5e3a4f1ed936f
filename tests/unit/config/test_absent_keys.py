"""Keys of features that the toolkit lacks, and keys of other tools, are answered with what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.config.absent_keys import ABSENT, CALLED, OF_PLACE
from neuron_cluster.config.document import read_document
from neuron_cluster.config.fields import fields_at
from neuron_cluster.config.validation import validate_tree
from tests.unit.config.test_validation import the_finding

HYPERPOD = (Path(__file__).parents[3] / "environments" / "hyperpod-trn2.yaml").read_text(encoding="utf-8")
PLACES: dict[str, tuple[str | int, ...]] = {
    "hyperpod": ("hyperpod",),
    "hyperpod.groups": ("hyperpod", "groups", 0),
    "hyperpod.groups.count": ("hyperpod", "groups", 0, "count"),
}
LIMITS = (Path(__file__).parents[3] / "docs" / "limits.md").read_text(encoding="utf-8")
TOP, GROUP = (
    ("schema: 1", "schema: 1\n{}: 1"),
    ("instance_type: trn1.32xlarge", "instance_type: trn1.32xlarge\n      {}: 1"),
)


def hint_of(place: tuple[str, str], key: str) -> str:
    found = the_finding((place[0], place[1].format(key)))
    assert found.id == "E0010"
    return found.hint


@pytest.mark.parametrize(
    "key",
    ["karpenter", "batch", "ecs", "sagemaker", "ttl_hours", "office_hours", "gitops", "slinky", "fleets",
     "training_plan", "office-hours", "Karpenter"],
)  # fmt: skip
def test_a_feature_that_the_toolkit_lacks_is_answered_with_its_limit(key: str) -> None:
    hint = hint_of(TOP, key)
    assert hint.startswith("not supported (docs/limits.md): ")
    assert "; remove it; known here: account, " in hint
    assert "did you mean" not in hint


@pytest.mark.parametrize("key", ABSENT)
def test_no_key_of_the_schema_is_said_to_be_absent_at_the_top_or_in_a_group(key: str) -> None:
    assert key not in fields_at(())
    assert key not in fields_at(("eks", "node_groups", 0))


@pytest.mark.parametrize(
    "text",
    ["Karpenter", "AWS Batch", "Amazon ECS", "HyperPod", "Slinky", "office hours", "EC2 Fleet", "budget of a team",
     "training plan", "GitOps", "SSH keys", "user data", "HTTP proxy", "Ray"],
)  # fmt: skip
def test_the_page_of_limits_has_what_the_hints_refer_to(text: str) -> None:
    assert text in LIMITS


@pytest.mark.parametrize(
    ("place", "key", "here"),
    [
        (("  nat: single", "  nat: single\n  {}: vpc-1"), "vpc_id", "network.existing"),
        (("  nat: single", "  nat: single\n  {}: [a]"), "subnet_ids", "network.existing"),
        (TOP, "monthly_budget", "budget: {usd_month: …, notify: […]}"),
        (GROUP, "spot", "capacity: {kind: spot}"),
        (GROUP, "desired", "count: {min: …, desired: …, max: …}"),
        (GROUP, "min_size", "count: {min: …, desired: …, max: …}"),
        (GROUP, "disk_size", "root_volume: {size_gib: …}"),
    ],
)
def test_a_key_of_another_tool_is_answered_with_the_one_of_the_schema(
    place: tuple[str, str], key: str, here: str
) -> None:
    assert hint_of(place, key).startswith(f"write {here} instead; known here: ")


def test_each_answer_for_another_tool_names_a_key_of_the_schema() -> None:
    for section, here in CALLED.values():
        places = [(section,)] if section else [(), ("eks", "node_groups", 0)]
        known = {key for place in places for key in fields_at(place)}
        assert here.removeprefix(f"{section}.").partition(":")[0] in known


def test_a_misspelt_key_is_still_answered_with_the_one_that_was_meant() -> None:
    assert hint_of(TOP, "acount").startswith("did you mean account? ")
    assert hint_of(("schema: 1", "schema: 1\n{}: {{usd_month: 1}}"), "budgets").startswith("did you mean budget? ")


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("training_plan", "not supported (docs/limits.md): buy a Capacity Block: capacity: {kind: capacity_block}"),
        ("block", 'For example: "capacity_block"'),
        ("ondemand", 'For example: "on_demand"'),
        ("free", '`neuron-cluster explain eks.node_groups[1].capacity` lists the kinds. For example: "on_demand"'),
    ],
)
def test_an_unknown_purchase_option_is_not_answered_with_an_unrelated_one(kind: str, hint: str) -> None:
    found = the_finding(("kind: on_demand", f"kind: {kind}"))
    assert (found.id, found.hint) == ("E0013", hint)


@pytest.mark.parametrize(
    ("place", "key", "reason"),
    [
        ("  groups:", "tiered_storage", "no source names Neuron for tiered checkpoints"),
        ("  groups:", "instance_groups", "write groups instead"),
        (
            "    - name: trn2",
            "logical_nc_config",
            "HyperPod has no setting of LNC: nodes have the default of ",
        ),
        ("    - name: trn2", "hugepages", "HyperPod nodes have no user data"),
        ("    - name: trn2", "user_data", "HyperPod nodes have no user data"),
        ("    - name: trn2", "placement", "HyperPod decides the placement of instances"),
        ("    - name: trn2", "root_volume", "HyperPod decides the size of root volumes"),
        ("    - name: trn2", "instance_store", "the AMI of HyperPod joins the local disks"),
        ("    - name: trn2", "local-disks", "the AMI of HyperPod joins the local disks for /opt/sagemaker"),
        ("    - name: trn2", "dlami", "the AMI is that of HyperPod: ami_release is its version"),
        ("    - name: trn2", "image_release_version", "write ami_release instead"),
        ("    - name: trn2", "pods_per_node", "HyperPod decides the number of pods"),
        ("    - name: trn2", "max", "write count: {desired: …, min: …} instead"),
        ("    - name: trn2", "training_plan", "write capacity: {kind: training_plan, plan_arn: …} instead"),
        ("    - name: trn2", "spot", "write capacity: {kind: spot} instead"),
    ],
)
def test_a_key_of_hyperpod_that_means_nothing_there_is_answered_with_the_reason(
    place: str, key: str, reason: str
) -> None:
    assert HYPERPOD.count(place) == 1
    line = f"      {key}: 1" if "-" in place else f"  {key}: 1"
    edited = f"{place}\n{line}" if "-" in place else f"{line}\n{place}"
    document = read_document(HYPERPOD.replace(place, edited), "e.yaml")
    (found,) = validate_tree(document.tree, document.source).findings
    assert found.id == "E0010"
    assert found.hint.startswith(reason)
    assert "; known here: " in found.hint


def test_no_key_of_the_schema_is_refused_at_its_place() -> None:
    assert OF_PLACE.keys() == PLACES.keys()
    for place, keys in OF_PLACE.items():
        known = fields_at(PLACES[place])
        assert known
        assert not {*keys} & {*known}, place
