"""The shape of an environment: every mistake a finding, all in one run, and what follows from a repair stays quiet."""

from pathlib import Path

import pytest

from neuron_cluster.config.document import read_document
from neuron_cluster.config.shape import Shaped, shape
from neuron_cluster.line import check_environment

SHIPPED = Path(__file__).parents[3] / "environments" / "train-trn1.yaml"


def shaped(*edits: tuple[str, str]) -> Shaped:
    """The shipped environment after replacing texts in it; each must be there."""
    text = SHIPPED.read_text()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    document = read_document(text, "e.yaml")
    return shape(document.tree, document.source)


def the_finding(*edits: tuple[str, str]):
    (finding,) = shaped(*edits).findings
    return finding


def test_the_shipped_environment_has_its_shape():
    assert shaped().findings == []


@pytest.mark.parametrize(
    ("old", "new", "finding_id", "path", "says"),
    [
        ("region: us-west-2", "regoin: us-west-2", "E0010", "regoin", "not a known key"),
        ("  nat: single", "  nat: sinlge", "E0013", "network.nat", "sinlge"),
        ("  cidr: 10.20.0.0/16", "  cidr: 10.20.0.1/16", "E0013", "network.cidr", "host bits"),
        ("  cidr: 10.20.0.0/16", "  cidr: 10.20.0.0/40", "E0013", "network.cidr", "10.20.0.0/40"),
        ("  cidr: 10.20.0.0/16", "  cidr: [10.20.0.0/16]", "E0012", "network.cidr", "a list"),
        ("capacity_gib: 4800", "capacity_gib: 4.8k", "E0013", "storage.lustre.capacity_gib", "whole number"),
        ("capacity_gib: 4800", "capacity_gib: 1_200", "E0013", "storage.lustre.capacity_gib", "1_200"),
        ("capacity_gib: 4800", "capacity_gib: 9" + "9" * 500, "E0013", "storage.lustre.capacity_gib", "…"),
        ("capacity_gib: 4800", "capacity_gib: -1", "E0013", "storage.lustre.capacity_gib", "greater than"),
        ("kind: on_demand", "kind: block", "E0013", "eks.node_groups[1].capacity.kind", "capacity_block"),
        ("kind: on_demand", "kind: capacity_block", "E0011", "eks.node_groups[1].capacity.reservation_id", "missing"),
        ("  sdk: 2.32.0", "  sdk:", "E0012", "neuron.sdk", "no value"),
        ("account: 111122223333", "account: 11112222333", "E0013", "account", "11112222333"),
        ("name: train-trn1", "name: ../x", "E0013", "name", "../x"),
        ("lifecycle: durable", "lifecycle: {}", "E0013", "lifecycle", "ephemeral"),
        ("tags:\n  cost-center: ml-platform", "tags: [a]", "E0012", "tags", "a list"),
        ("schema: 1", "schema: 2", "E0014", "schema", "schema 1"),
        ("schema: 1", "schema: one", "E0014", "schema", "one"),
    ],
)
def test_a_mistake_is_one_finding_at_its_place(old: str, new: str, finding_id: str, path: str, says: str):
    findings = shaped((old, new)).findings
    found = [f for f in findings if f.id == finding_id and f.location.path == path]
    assert found, findings
    assert says in found[0].message
    assert found[0].location.line > 0
    assert found[0].hint


@pytest.mark.parametrize("text", ["on_demand", '"on_demand"', "|\n        on_demand"])
def test_a_text_in_place_of_a_union_is_one_finding_however_it_is_written(text: str):
    """The reader keeps a text in quotes as a class of its own, in which a union must not look for its keys."""
    finding = the_finding(("capacity:\n        kind: on_demand", f"capacity: {text}"))
    assert (finding.id, finding.location.path) == ("E0012", "eks.node_groups[1].capacity")
    assert "not keys and values" in finding.message


def test_an_unknown_key_is_answered_with_the_near_one_and_all_known_ones():
    hint = the_finding(("  nat: single", "  natt: single")).hint
    assert "did you mean nat?" in hint
    assert "availability_zones" in hint


def test_a_missing_key_is_located_at_the_mapping_that_lacks_it():
    finding = the_finding(("      instance_type: trn1.32xlarge\n", ""))
    assert (finding.id, finding.location.path) == ("E0011", "eks.node_groups[1].instance_type")
    assert finding.location.line > 40


def test_a_tree_that_is_no_mapping_is_one_finding():
    for text in ("- a\n", "hello\n"):
        document = read_document(text, "e.yaml")
        (finding,) = shape(document.tree, document.source).findings
        assert finding.id == "E0012"


def test_a_misshapen_key_does_not_hide_what_the_rules_find_elsewhere(tmp_path: Path):
    """One run reports the misspelt key, the broken network and the unknown type."""
    text = SHIPPED.read_text().replace("nat: single", "natt: single").replace("trn1.32xlarge", "trn1.33xlarge")
    text = text.replace("cidr: 10.20.0.0/16", "cidr: ten")
    (tmp_path / "e.yaml").write_text(text)
    found = {(f.id, f.location.path) for f in check_environment(tmp_path / "e.yaml").findings}
    assert {
        ("E0010", "network.natt"),
        ("E0013", "network.cidr"),
        ("E3001", "eks.node_groups[1].instance_type"),
    } <= found


def test_a_broken_optional_value_does_not_hide_the_rules_about_its_neighbours(tmp_path: Path):
    text = SHIPPED.read_text().replace("efa: efa", "efa: on").replace("trn1.32xlarge", "trn1.33xlarge")
    (tmp_path / "e.yaml").write_text(text)
    found = {(f.id, f.location.path) for f in check_environment(tmp_path / "e.yaml").findings}
    assert {("E0013", "eks.node_groups[1].efa"), ("E3001", "eks.node_groups[1].instance_type")} <= found


def test_rules_do_not_speak_of_values_that_only_stand_in_for_broken_ones(tmp_path: Path):
    """A broken instance type is replaced by an example to read on; nobody hears of the example."""
    text = SHIPPED.read_text().replace("instance_type: trn1.32xlarge", "instance_type: [1]")
    (tmp_path / "e.yaml").write_text(text)
    errors = [f for f in check_environment(tmp_path / "e.yaml").findings if f.id.startswith("E")]
    assert [f.location.path for f in errors] == ["eks.node_groups[1].instance_type"]


@pytest.mark.parametrize(
    ("lines", "example"),
    [
        ("  auto_mode: on\n", "For example: false"),
        ("  chart_values: []\n", "For example: {kueue: {controllerManager: {replicas: 2}}}"),
        ("  prefix_delegation: {}\n", "For example: true"),
    ],
)
def test_an_example_can_be_copied_into_the_file(lines: str, example: str):
    assert the_finding(("eks:\n", f"eks:\n{lines}")).hint.endswith(example)


@pytest.mark.parametrize("quoted", ['"false"', "'true'"])
def test_a_switch_in_quotes_is_a_text_as_it_is_for_editors(quoted: str):
    finding = the_finding(("eks:\n", f"eks:\n  auto_mode: {quoted}\n"))
    assert (finding.id, finding.location.path) == ("E0013", "eks.auto_mode")
    assert "without quotes" in finding.message
