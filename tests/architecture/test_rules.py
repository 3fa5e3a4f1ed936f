"""Every rule that is discovered is complete: id, sentence, source, fixture, place."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import neuron_cluster.rules
from neuron_cluster.rules.base import Needs, Rule
from neuron_cluster.rules.discover import all_rules

PACKAGE = Path(neuron_cluster.__path__[0])
FIXTURES = Path(__file__).parents[1] / "fixtures" / "rules"
CHAPTERS = {
    "1": "network",
    "2": "cluster",
    "3": "compute",
    "4": "storage",
    "5": "software",
    "6": "identity",
    "7": "workstations",
}
RULE_FOLDERS = [
    Path(neuron_cluster.rules.__path__[0]),
    *sorted((PACKAGE / "providers").glob("*/rules")),
    *sorted((PACKAGE / "schedulers").glob("*/rules")),
    *sorted((PACKAGE / "sections").glob("*/rules")),
]
WITHOUT_CHAPTERS = [
    folder for folder in RULE_FOLDERS[1:] if not any((folder / chapter).is_dir() for chapter in CHAPTERS.values())
]
"""Folders of providers, schedulers and sections with a few rules only."""
VERSION = re.compile(
    r"(?<![\w.])v?[0-9]+\.[0-9]+(?:\.[0-9]+)?(?![.\w])"  # 1.35, v2.33.1; an address has four numbers
    r"|(?<![0-9])20[0-9]{2}-?[0-9]{2}-?[0-9]{2}(?![0-9])"  # 2026-11-21, 20260714
)


def test_every_file_of_a_chapter_holds_one_rule() -> None:
    chapters = [folder / chapter for folder in RULE_FOLDERS for chapter in CHAPTERS.values()]
    files = {file.stem for folder in (*chapters, *WITHOUT_CHAPTERS) for file in folder.glob("*.py")} - {"__init__"}
    assert files == {type(rule).__module__.rpartition(".")[2] for rule in all_rules()}
    assert len(files) == len(all_rules())


def needs_read(rule: Rule) -> set[Needs]:
    """Returns the needs that the file of a rule, and its base classes, read of the context."""
    read_by = {"context.lock": Needs.LOCK, "context.as_of": Needs.DATE, "context.plan": Needs.PLAN}
    files = {inspect.getfile(kind) for kind in type(rule).__mro__ if kind.__module__.startswith("neuron_cluster")}
    trees = [ast.parse(Path(file).read_text(encoding="utf-8")) for file in sorted(files)]
    read = {ast.unparse(node) for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return {need for name, need in read_by.items() if name in read}


def test_a_rule_declares_what_it_reads_of_its_context() -> None:
    """Reading anything else raises, but only for the files in which the rule reads it."""
    found = {rule.id: needs_read(rule) for rule in all_rules()}
    assert found == {rule.id: {rule.needs} - {Needs.FILE} for rule in all_rules()}


def test_no_number_is_used_for_an_error_and_a_warning() -> None:
    numbers = [rule.id[1:] for rule in all_rules()]
    assert len(set(numbers)) == len(numbers)


def test_the_id_says_severity_and_chapter_and_stands_in_the_file_name() -> None:
    for rule in all_rules():
        assert re.fullmatch(r"[EW][1-7][0-9]{3}", rule.id)
        chapter, module = type(rule).__module__.split(".")[-2:]
        folder = Path(inspect.getfile(type(rule))).parent
        assert chapter == CHAPTERS[rule.id[1]] or folder in WITHOUT_CHAPTERS, rule.id
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(rule).__name__).lower()
        assert module == f"{rule.id.lower()}_{re.sub(r'_(?=[0-9])', '', name)}"


def test_the_docstring_is_a_sentence_a_reason_and_what_aws_answers() -> None:
    for rule in all_rules():
        sentence, blank, *rest = (type(rule).__doc__ or "").splitlines()
        assert sentence.endswith((".", ";")), rule.id
        assert blank == "", rule.id
        assert any(line.strip().startswith("Without this check ") for line in rest), rule.id


def test_the_source_can_be_looked_up() -> None:
    place = re.compile(r"https://|#[0-9]+|botocore|aws-neuron-sdk|the design of this toolkit")
    assert [rule.id for rule in all_rules() if not place.search(rule.source)] == []


def test_there_is_a_fixture_with_good_and_bad_cases() -> None:
    for rule in all_rules():
        fixture = yaml.load((FIXTURES / f"{rule.id}.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
        assert fixture["good"], rule.id
        assert len(fixture["bad"]) > 1, rule.id


def test_no_fixture_is_left_over() -> None:
    assert {file.stem for file in FIXTURES.glob("*.yaml")} == {rule.id for rule in all_rules()}


def spoken_constants(text: str) -> Iterator[object]:
    """Every literal of a file that is no docstring, source or thread: what the code compares with and says."""
    tree = ast.parse(text)
    quoted: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):  # docstrings, and the texts below a constant or a field
            quoted.add(node.value)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("id", "source", "references"):
            quoted |= set(ast.walk(node))
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in quoted)


def test_no_rule_names_a_version_or_a_day() -> None:
    for file in (path for folder in RULE_FOLDERS for path in sorted(folder.rglob("*.py"))):
        constants = list(spoken_constants(file.read_text(encoding="utf-8")))
        assert [each for each in constants if isinstance(each, str) and VERSION.search(each)] == [], file.name
        assert [each for each in constants if isinstance(each, float)] == [], file.name


def test_no_rule_about_software_holds_a_number() -> None:
    chapters = (path for folder in RULE_FOLDERS for path in sorted((folder / "software").glob("*.py")))
    others = (path for folder in WITHOUT_CHAPTERS for path in sorted(folder.glob("[ew]5*.py")))
    for file in (*chapters, *others):
        numbers = [each for each in spoken_constants(file.read_text(encoding="utf-8")) if type(each) is int]
        assert set(numbers) <= {0, 1}, file.name


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('"1.35"', True),
        ('"2.33.1 or newer"', True),
        ('f"driver {name} below v2.29"', True),
        ('"1.35.2-20260714"', True),
        ('"until 2026-12-02"', True),
        ('"172.20.0.0/16"', False),
        ('"203.0.113.0/24; or"', False),
        ('"two zones, 16 cards."', False),
    ],
)
def test_a_version_is_recognized(text: str, is_one: bool) -> None:
    said = [each for each in spoken_constants(f"x = {text}") if isinstance(each, str)]
    assert any(VERSION.search(each) for each in said) == is_one
