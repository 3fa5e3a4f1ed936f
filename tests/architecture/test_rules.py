"""Every rule that is discovered is complete: id, sentence, source, fixture, place."""

import re
from pathlib import Path

import pytest
import yaml

import neuron_cluster.rules
from neuron_cluster.rules.base import Rule
from neuron_cluster.rules.discover import all_rules

FIXTURES = Path(__file__).parents[1] / "fixtures" / "rules"
CHAPTERS = {
    "1": "network",
    "2": "cluster",
    "3": "node_groups",
    "4": "storage",
    "5": "software",
    "6": "identity",
    "7": "workstations",
}
every_rule = pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)


def test_every_file_of_a_chapter_holds_one_rule() -> None:
    folder = Path(neuron_cluster.rules.__path__[0])
    files = {file.stem for chapter in CHAPTERS.values() for file in (folder / chapter).glob("*.py")} - {"__init__"}
    assert files == {type(rule).__module__.rpartition(".")[2] for rule in all_rules()}
    assert len(files) == len(all_rules())


def test_no_number_is_used_for_an_error_and_a_warning() -> None:
    numbers = [rule.id[1:] for rule in all_rules()]
    assert len(set(numbers)) == len(numbers)


@every_rule
def test_the_id_says_severity_and_chapter_and_stands_in_the_file_name(rule: Rule) -> None:
    assert re.fullmatch(r"[EW][1-7][0-9]{3}", rule.id)
    chapter, module = type(rule).__module__.split(".")[-2:]
    assert chapter == CHAPTERS[rule.id[1]]
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(rule).__name__).lower()
    assert module == f"{rule.id.lower()}_{re.sub(r'_(?=[0-9])', '', name)}"


@every_rule
def test_the_docstring_is_a_sentence_a_reason_and_what_aws_answers(rule: Rule) -> None:
    sentence, blank, *rest = (type(rule).__doc__ or "").splitlines()
    assert sentence.endswith((".", ";"))
    assert blank == ""
    assert any(line.strip().startswith("Without it:") for line in rest)


@every_rule
def test_the_source_can_be_looked_up(rule: Rule) -> None:
    assert re.search(r"https://|#[0-9]+|botocore|aws-neuron-sdk|the design of this toolkit", rule.source)


@every_rule
def test_there_is_a_fixture_with_good_and_bad_cases(rule: Rule) -> None:
    fixture = yaml.safe_load((FIXTURES / f"{rule.id}.yaml").read_text(encoding="utf-8"))
    assert fixture["good"]
    assert len(fixture["bad"]) > 1


def test_no_fixture_is_left_over() -> None:
    assert {file.stem for file in FIXTURES.glob("*.yaml")} == {rule.id for rule in all_rules()}
