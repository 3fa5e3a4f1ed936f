"""`explain` on the command line: every finding and every field, in both forms."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from neuron_cluster.changes.change_table import change_table
from neuron_cluster.cli.explained_fields import explained_field
from neuron_cluster.config.change_row import FieldEffect
from neuron_cluster.config.environment_config import environment_model
from neuron_cluster.config.field_docs import pattern_paths, without_positions
from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.protocol.registry import registered
from neuron_cluster.rules.discover import all_rules
from neuron_cluster.template_rules.discover import all_template_rules
from tests.every_case import every_case

from .conftest import PROJECT, Command

TABLE = change_table(registered())


def ids_in_the_source() -> set[str]:
    """Every text of the toolkit that is the id of a finding."""
    files = [PROJECT / "app.py", *(PROJECT / "neuron_cluster").rglob("*.py")]
    return {found for file in files for found in re.findall(r'"([EW][0-9]{4})"', file.read_text())}


def test_every_finding_that_the_source_can_make_has_a_page() -> None:
    assert set(finding_specs()) == ids_in_the_source()


def test_rules_and_rules_are_found_not_listed() -> None:
    assert {member.id for member in (*all_rules(), *all_template_rules())} < set(finding_specs())


def test_every_page_has_a_sentence_a_chapter_and_a_source() -> None:
    for page in finding_specs().values():
        assert page.title.endswith((".", ";")), page.id
        assert re.fullmatch(r"[0-9]{1,2}: .+[^.]", page.chapter), page.id
        assert page.source, page.id
        assert "``" not in page.reason + page.consequence, page.id
        assert not page.consequence.startswith("Without"), page.id


def test_a_rules_page_says_its_sentence_what_aws_answers_and_its_source(command: Command) -> None:
    ran = command("explain", "e3007")
    assert ran.status == 0
    assert ran.out.startswith("E3007\nThe desired count is between min and max (`count`).\n")
    assert "Without this check EKS rejects the node group" in ran.out
    assert "3: compute" in ran.out
    said = "For example, at `eks.node_groups[1].count.desired`: desired is 17, more than max (16)"
    assert said in " ".join(ran.out.split())
    assert "hint: lower desired to 16, or raise max to 17" in ran.out
    example = command("explain", "e3007", "--format", "json").document["example"]
    assert example["path"] == "eks.node_groups[1].count.desired"
    assert "https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html" in ran.out


def test_a_rules_page_names_operation_and_error_code(command: Command) -> None:
    document = command("explain", "E8105", "--format", "json").document
    assert document["operation"] == "ec2:RunInstances"
    assert document["error_code"] == "InvalidParameterCombination"
    assert document["types"] == ["AWS::EC2::LaunchTemplate"]


def test_a_rule_that_aws_does_not_know_says_so(command: Command) -> None:
    assert "AWS accepts it" in command("explain", "E8601").out


def test_every_page_fits_80_columns_but_for_words_that_are_longer(command: Command) -> None:
    for topic in (*finding_specs(), *pattern_paths().values()):
        ran = command("explain", topic)
        assert ran.status == 0, topic
        wide = [line for line in ran.out.splitlines() if len(line) > 80 and "`" not in line]
        assert [line for line in wide if len(max(line.split(), key=len)) < 46] == [], topic


@every_case("pattern", pattern_paths().values())
def test_a_field_is_found_with_and_without_positions(pattern: str, command: Command) -> None:
    said = command("explain", pattern, "--format", "json")
    assert said.status == 0
    assert said.document["change"]["what"] == TABLE[pattern].what
    for other in {without_positions(pattern), pattern.replace("[]", "[7]")} - {pattern}:
        assert command("explain", other, "--format", "json").document == said.document


def test_programs_get_the_values_of_the_catalog_that_people_get(command: Command) -> None:
    path = "storage.lustre.throughput_mbps_per_tib"
    allowed = command("explain", path, "--format", "json").document["allowed"]
    assert "125, 250, 500, 1000" in allowed
    assert allowed in " ".join(command("explain", path).out.split())


def test_a_union_says_its_kinds_and_which_of_them_has_a_key(command: Command) -> None:
    capacity = command("explain", "eks.node_groups[0].capacity").out
    for kind in ("on_demand", "spot", "reservation", "capacity_block", "ultraserver_block"):
        assert re.search(rf"^  {kind} +\w", capacity, re.MULTILINE)
    reservation_id = command("explain", "eks.node_groups.capacity.reservation_id", "--format", "json").document
    assert reservation_id["only_in_kinds"] == ["reservation", "capacity_block", "ultraserver_block"]


def test_a_kind_says_which_of_its_keys_must_be_written(command: Command) -> None:
    said = " ".join(command("explain", "eks.node_groups[].capacity").out.split())
    assert "or any open one. Optional keys: match, reservation_id, resource_group." in said
    assert "Required keys: ultraserver, reservation_id. Optional keys: starts, ends." in said
    assert "or resource group. With kind reservation." in said


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("eks.node_groups[1].labels.kubernetes.io/os", "eks.node_groups[].labels"),
        ("tags.Name", "tags"),
        ("eks.chart_values.jobset", "eks.chart_values"),
        ("eks.chart_values.kueue.controllerManager.replicas", "eks.chart_values"),
    ],
)
def test_a_key_of_ones_own_is_answered_with_the_field_that_holds_it(path: str, field: str, command: Command) -> None:
    assert command("explain", path).out == command("explain", field).out


@pytest.mark.parametrize("path", ["eks.versoin", "eks.version.x", "eks.node_groups.count.mix"])
def test_a_key_that_no_field_takes_is_answered_with_no_other_field(path: str, command: Command) -> None:
    assert command("explain", path).status == 1


def test_the_tiers_of_a_file_system_are_those_of_the_catalog(command: Command) -> None:
    said = " ".join(command("explain", "storage.lustre.throughput_mbps_per_tib").out.split())
    assert "for persistent_2 one of 125, 250, 500, 1000" in said
    assert "for scratch_2 none" in said


def test_a_section_lists_each_of_its_keys_in_a_line(command: Command) -> None:
    ran = command("explain", "eks.node_groups[].count")
    assert re.search(r"^  max +Maximum number of instances. Required.$", ran.out, re.MULTILINE)
    assert re.search(r"^  min +Minimum", ran.out, re.MULTILINE)


def test_the_example_of_a_cluster_is_one_that_validate_accepts(tmp_path: Path, command: Command) -> None:
    shipped = yaml.safe_load((PROJECT / "environments" / "train-trn1.yaml").read_text())
    around = {key: shipped[key] for key in ("schema", "name", "account", "region", "neuron", "network")}
    example = command("explain", "eks", "--format", "json").document["example_yaml"]
    file = tmp_path / f"{around['name']}.yaml"
    file.write_text(f"{yaml.safe_dump(around)}{example}")
    ran = command("validate", str(file))
    assert ran.status == 0, ran.err + ran.out


def test_the_access_that_a_cluster_needs_is_said(command: Command) -> None:
    assert "one admin is required" in " ".join(command("explain", "eks.access").out.split())
    assert "default  no access, which is an error" in command("explain", "eks.access").out
    assert "default  no access, which is an error" in command("explain", "eks.access.admins").out
    assert "one admin is required" in " ".join(command("explain", "eks").out.split())


def test_a_refused_edit_says_how_to_get_there(command: Command) -> None:
    text = " ".join(command("explain", "storage.lustre.deployment_type").out.split())
    assert "an edit replaces or destroys resources that hold data: `deploy` stops" in text
    assert TABLE["storage.lustre.deployment_type"].steps in text


def test_without_a_topic_every_section_and_every_finding_is_listed(command: Command) -> None:
    ran = command("explain")
    assert ran.status == 0
    listed = set(re.findall(r"^  ([EW][0-9]{4})  ", ran.out, re.MULTILINE))
    assert listed == set(finding_specs())
    keys = {field.alias or name for name, field in environment_model().model_fields.items()}
    assert keys <= set(re.findall(r"^  (\S+) ", ran.out, re.MULTILINE))
    assert command("explain", "--format", "json").document["fields"] == list(pattern_paths().values())


@pytest.mark.parametrize("topic", ["E3", "3", "w3"])
def test_a_chapter_lists_its_findings(topic: str, command: Command) -> None:
    found = {page["id"] for page in command("explain", topic, "--format", "json").document["finding_specs"]}
    assert found == {rule.id for rule in all_rules() if rule.id[1] == "3"}


@pytest.mark.parametrize(
    ("topic", "near"),
    [("E3079", "E3"), ("eks.versoin", "eks.version"), ("capacity", "eks.node_groups.capacity"),
     ("eks.node_groups[0].cout", "eks.node_groups.count"), ("nat", "network.nat"), ("W3007", "E3007")],
)  # fmt: skip
def test_an_unknown_topic_is_an_error_that_names_near_ones(topic: str, near: str, command: Command) -> None:
    ran = command("explain", topic, "--format", "json")
    assert ran.status == 1
    (finding,) = ran.document["findings"]
    assert finding["id"] == "E0018"
    assert near in finding["hint"]


@pytest.mark.parametrize("topic", ["", " ", ".", "[]", "nul\0", "\udcff", "a\nb", "E", "99999"])
def test_nonsense_is_an_error_without_a_traceback(topic: str, command: Command) -> None:
    ran = command("explain", topic)
    assert ran.status == 1
    assert "E0018" in ran.err


@pytest.mark.exhaustive  # tests/architecture/test_startup.py runs it after `validate`
def test_explain_imports_no_cdk_no_aws_and_no_rich() -> None:
    script = (
        "import json, sys; from neuron_cluster.cli.main import main; main(['explain', 'E3007', '--format', 'json'])"
    )
    script += "; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", script], cwd=Path(PROJECT), capture_output=True, text=True, check=True)
    modules = {name.partition(".")[0] for name in json.loads(ran.stderr)}
    assert modules & {"aws_cdk", "jsii", "boto3", "botocore", "moto", "rich"} == set()


RESOURCES = re.compile(
    r"VPC|subnet|cluster|group|node|instance|volume|bucket|file system|gateway|endpoint|stack|key|role|template|alarm|"
    r"queue|chart|access point|namespace|topic|add-on|budget|table|object|fields|dashboard|system|image|workstation|"
    r"environment|association|vault|backup plan|access entr|service account|cert-manager|controller|metrics",
    re.IGNORECASE,
)


@every_case("path", [path for path, row in TABLE.items() if row.effect.at_least(FieldEffect.DISPOSABLE)])
def test_an_edit_that_replaces_something_is_said_to_and_names_the_resource(path: str) -> None:
    assert RESOURCES.search(TABLE[path].what), TABLE[path].what
    field = explained_field(path)
    assert field is not None
    (said,) = [text for label, text in field.page.facts if label == "an edit"]
    assert re.search(r"replaces (or destroys resources|the cluster)", said)
    assert ("`deploy` stops" in said) == TABLE[path].effect.is_blocked
