"""The command line with a provider that the toolkit does not know: no file of the toolkit is about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.changes.source import change_sources
from neuron_cluster.config.editor_schema import editor_schema
from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.protocol.registry import registered
from neuron_cluster.rules.discover import all_rules
from tests.orchestrators.auto_scaling.provider import AUTO_SCALING
from tests.orchestrators.conftest import Ran, registered_for_test

Command = Callable[..., Ran]


def edit(environment: Path, old: str, new: str) -> None:
    text = environment.read_text(encoding="utf-8")
    assert old in text
    environment.write_text(text.replace(old, new), encoding="utf-8")


def test_a_file_without_mistakes_is_valid(command: Command, environment: Path) -> None:
    ran = command("validate", environment, "--format", "json")
    assert ran.status == 0
    assert [each["id"] for each in ran.document["findings"]] == ["W6002"]


@pytest.mark.parametrize(
    ("old", "new", "rule_id", "path"),
    [
        ("dlami: base_ubuntu_24_04", "dlami: base_ubuntu", "E3991", "auto_scaling.groups[0].dlami"),
        ("      availability_zone: usw2-az4\n", "", "E3005", "auto_scaling.groups[0].availability_zone"),
        ("max: 8", "max: 1", "E3007", "auto_scaling.groups[0].count.desired"),
        ("trn1.32xlarge", "trn1.31xlarge", "E3001", "auto_scaling.groups[0].instance_type"),
        ("max: 8", "max: 8200", "E1010", "network.cidr"),
        ("- name: trn1", "- nme: trn1", "E0010", "auto_scaling.groups[0].nme"),
    ],
)
def test_mistakes_are_found_at_their_key(
    old: str, new: str, rule_id: str, path: str, command: Command, environment: Path
) -> None:
    edit(environment, old, new)
    ran = command("validate", environment, "--format", "json")
    assert (rule_id, path) in {(each["id"], each["path"]) for each in ran.document["findings"]}


def test_the_plan_shows_machines_stacks_addresses_and_price(command: Command, environment: Path) -> None:
    ran = command("plan", environment, "--details")
    assert ran.status == 0
    rows = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "scale-trn1-machines Auto Scaling groups" in rows
    assert "Auto Scaling group trn1" in rows
    assert "placement group cluster *" in rows
    assert "price at desired $43.00" in rows
    assert any(row.startswith("driver of trn1 ") for row in rows)


def test_the_plan_is_data_too(command: Command, environment: Path) -> None:
    document = command("plan", environment, "--format", "json").document
    assert document["stacks"] == ["scale-trn1-network", "scale-trn1-machines"]
    (group,) = document["plan"]["auto_scaling"]["groups"]
    assert (group["machine"]["instance_type"], group["scaling"]["maximum"]) == ("trn1.32xlarge", 8)
    assert document["plan"]["eks"] is None
    assert [(each["name"], each["max_usd"]) for each in document["price"]["groups"]] == [("trn1", 172.0)]
    needed = {(each["zone_id"], each["kind"]): each["by_purpose"]["nodes"] for each in document["addresses"]}
    assert needed["usw2-az4", "private"] == 8


@pytest.mark.parametrize(
    ("verb", "status"),
    [
        ("plan {}", 0),
        ("plan {} --scale", 0),
        ("schedule {}", 0),
        ("images {}", 0),
        ("images {} --commands", 0),
        ("upgrade {} --to 2.31.0", 0),
        ("workload render collectives-check {}", 1),
        ("capacity offers {} --local", 0),
    ],
)
def test_no_command_names_another_provider(verb: str, status: int, command: Command, environment: Path) -> None:
    ran = command(*verb.format(environment).split())
    assert ran.status == status
    assert "eks" not in ran.out.lower()


def test_limits_count_its_machines(command: Command, environment: Path) -> None:
    rows = command("plan", environment, "--scale", "--format", "json").document["limits"]
    used = {row["name"]: (row["used"], row["path"]) for row in rows}
    assert used["placement_groups_per_region"] == (1, ["auto_scaling", "groups"])
    assert used["network_interfaces_per_region"][0] == 8 * 8


def test_a_lock_pins_its_image(command: Command, environment: Path) -> None:
    from neuron_cluster.catalog.catalog import load_catalog
    from neuron_cluster.pipeline import check_environment
    from neuron_cluster.planning.build_lock_inputs import build_lock_inputs

    del command
    plan = check_environment(environment).require_plan()
    assert list(build_lock_inputs(plan, load_catalog()).dlamis) == ["base_ubuntu_24_04"]


@pytest.mark.parametrize(
    ("topic", "text"),
    [
        ("auto_scaling", "Auto Scaling groups"),
        ("auto_scaling.groups[].dlami", "Instances start with the other image"),
        ("E3991", "The DLAMI kind of an Auto Scaling group"),
        ("E3991", "3: compute"),
    ],
)
def test_explain_has_its_keys_and_rules(topic: str, text: str, command: Command) -> None:
    ran = command("explain", topic)
    assert ran.status == 0
    assert text in ran.out


def test_editors_have_its_section() -> None:
    schema = json.loads(editor_schema())
    assert "dlami" in schema["$defs"]["AutoScalingGroup"]["properties"]
    assert "auto_scaling" in schema["properties"]


def test_nothing_of_it_is_left_afterwards(environment: Path) -> None:
    from neuron_cluster.protocol.registry import register, unregister

    unregister(AUTO_SCALING)
    try:
        assert AUTO_SCALING not in registered()
        assert "E3991" not in {rule.id for rule in all_rules()} | {*finding_specs()}
        assert "auto_scaling" not in {source.id for source in change_sources()}
        assert "auto_scaling" not in editor_schema()
        with registered_for_test():
            assert "E3991" in {rule.id for rule in all_rules()} & {*finding_specs()}
            assert "auto_scaling" in {source.id for source in change_sources()}
            assert "auto_scaling" in editor_schema()
    finally:
        register(AUTO_SCALING)
    assert environment.is_file()
