"""Which keys differ between two environment files, and what the change table says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from neuron_cluster.changes.change_table import change_table
from neuron_cluster.changes.summary.edited_key import EditedKey, edited_keys, elsewhere_findings
from neuron_cluster.config.environment_config import environment_model
from neuron_cluster.protocol.registry import registered

SHIPPED = Path(__file__).parents[4] / "environments" / "train-trn1.yaml"
TABLE = change_table(registered())


@pytest.fixture
def tree() -> Any:
    return yaml.load(SHIPPED.read_text(), Loader=yaml.CBaseLoader)  # noqa: S506 - builds texts, lists and mappings only


def edits_to(tree: Any) -> dict[str, EditedKey]:
    old = environment_model().model_validate(yaml.load(SHIPPED.read_text(), Loader=yaml.CBaseLoader))  # noqa: S506 - as above
    return {edit.path: edit for edit in edited_keys(old, environment_model().model_validate(tree), TABLE)}


def test_the_same_file_has_no_edit_and_the_order_of_groups_is_none(tree: Any) -> None:
    tree["eks"]["node_groups"].reverse()
    assert edits_to(tree) == {}


def test_a_default_that_is_written_out_is_no_edit(tree: Any) -> None:
    tree["eks"]["node_groups"][0]["capacity"] = {"kind": "on_demand"}
    assert edits_to(tree) == {}


def test_a_key_of_a_group_is_told_by_the_groups_name(tree: Any) -> None:
    tree["eks"]["node_groups"][1]["count"]["desired"] = "8"
    (edit,) = edits_to(tree).values()
    assert (edit.path, edit.before, edit.after) == ("eks.node_groups[trn1].count.desired", "16", "8")
    assert edit.what == TABLE["eks.node_groups[].count.desired"].what


def test_groups_sections_and_kinds_come_and_go_as_a_whole(tree: Any) -> None:
    tree["eks"]["node_groups"][1]["name"] = "other"
    tree["eks"]["node_groups"][0]["capacity"] = {"kind": "spot"}
    del tree["storage"]["lustre"]
    edits = edits_to(tree)
    assert {path: (edit.before, edit.after) for path, edit in edits.items()} == {
        "storage.lustre": ("written", "not written"),
        "eks.node_groups[system].capacity": ('{"kind": "on_demand"}', '{"kind": "spot"}'),
        "eks.node_groups[trn1]": ("written", "not written"),
        "eks.node_groups[other]": ("not written", "written"),
    }
    assert edits["storage.lustre"].effect == "at worst blocked: would replace state"


def test_lists_without_names_are_one_value(tree: Any) -> None:
    tree["eks"]["node_groups"][1]["taints"] = [{"key": "team", "effect": "no_schedule"}]
    tree["network"]["availability_zones"].append("usw2-az2")
    edits = edits_to(tree)
    assert set(edits) == {"eks.node_groups[trn1].taints", "network.availability_zones"}
    assert '"key": "team"' in edits["eks.node_groups[trn1].taints"].after


def test_another_account_or_region_is_another_environment(tree: Any) -> None:
    tree |= {"account": "222233334444", "region": "us-east-2"}
    findings = elsewhere_findings(list(edits_to(tree).values()), "new.yaml", TABLE)
    assert [(finding.id, finding.location.path) for finding in findings] == [("E9010", "account"), ("E9010", "region")]
    assert all(finding.hint for finding in findings)


@pytest.mark.parametrize(("gib", "effect"), [("7200", "in place"), ("2400", "at worst blocked: would replace state")])
def test_a_file_system_grows_in_place_and_does_not_shrink(tree: Any, gib: str, effect: str) -> None:
    tree["storage"]["lustre"]["capacity_gib"] = gib
    assert edits_to(tree)["storage.lustre.capacity_gib"].effect == effect
