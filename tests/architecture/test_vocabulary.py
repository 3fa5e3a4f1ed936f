"""Texts for users, and names of modules and classes, contain no word that tools/vocabulary.yaml bans.

Docstrings and comments are searched too. Texts inside templates, and the local AWS's own, are not: the first are
compared byte by byte with goldens.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from vocabulary import banned_name_words, banned_phrases, vocabulary
from write_glossary_page import PAGE, page

from neuron_cluster.cli.main import build_parser
from neuron_cluster.findings.registry import finding_specs

from .parsed import nodes, statements

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("[A-Z]*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("charts/*/README.md")])
OF_A_GROUP = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
FOLDERS = ("neuron_cluster", "stacks", "local_aws", "local_kubernetes")
NOT_A_TEXT_OF_OURS = {
    "docs/adr/": "history: decisions in the words of their day",
    "docs/glossary.md": "lists the words",
    "docs/local-aws.md": "messages and docstrings of the local AWS; its own sentences are literals of its generator",
    "docs/local-aws/": "messages and docstrings of the local AWS",
    "docs/catalog/": "facts about hardware, which has chips; titles of alarms are in templates",
    "charts/neuron-monitor/README.md": "part of an asset: its hash is in templates of users",
}
IN_TEMPLATES = ("stacks/", "local_aws/", "neuron_cluster/schedulers/kubernetes/software/lustre_folders.py")
"""Their literals are parts of templates, or answers of AWS that the local AWS repeats."""


def _found(texts: Iterator[tuple[str, str]]) -> list[str]:
    return [f"{place}: {found}" for place, text in texts for found in banned_phrases(text)]


def test_findings() -> None:
    texts = (
        (f"finding {spec.id}", f"{spec.title} {spec.reason} {spec.consequence}") for spec in finding_specs().values()
    )
    assert _found(texts) == []


def test_messages() -> None:
    """Every literal with a space in it, with its neighbours in an f-string, so that texts built at run time count."""
    assert _found(_literals()) == []


def test_docstrings_and_comments() -> None:
    assert _found(_explanations()) == []


@pytest.mark.parametrize("columns", ["80", "200"])
def test_help(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert _found(_helps(build_parser())) == []


def test_pages() -> None:
    """Without their code: output and commands are checked where they are made."""
    pages = (path for path in PAGES if not path.relative_to(ROOT).as_posix().startswith(tuple(NOT_A_TEXT_OF_OURS)))
    assert _found((str(path.relative_to(ROOT)), _prose(path)) for path in pages) == []


def test_names_of_modules_classes_and_functions() -> None:
    found = [f"{place}: {word}" for place, name in _names() for word in banned_name_words(name)]
    assert found == []


def test_the_glossary_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python tools/write_glossary_page.py"


def test_every_term_is_defined_once_and_bans_are_explained() -> None:
    terms = [entry.term for entry in vocabulary().terms]
    assert sorted(set(terms)) == sorted(terms)
    assert [entry.term for entry in vocabulary().terms if not entry.term or not entry.definition] == []
    both = (*vocabulary().terms, *vocabulary().phrases)
    assert [entry for entry in both if (entry.banned or entry.names) and not entry.in_place] == []
    patterns = (pattern for entry in both for pattern in entry.banned)
    assert [each for each in patterns if "|" in OF_A_GROUP.sub("", each)] == [], "alternatives stand in a group"


@pytest.mark.parametrize(
    "text",
    [
        "EKS refuses\nthe version",
        "X is no quantity",
        "the account tells something else",
        "a node has 16 chips",
        "no reservation has room",
        "Kueue is switched on",
        "AWS answers nothing",
    ],
)
def test_a_banned_phrase_is_found(text: str) -> None:
    assert list(banned_phrases(text))


@pytest.mark.parametrize(
    "text",
    [
        "the connection was refused",
        "there is no node group X",
        "the version is no longer supported",
        "a Trainium2 chip has 8 NeuronCores",
        "catalog containers --chip trainium2",
        "EFA stands for Elastic Fabric Adapter",
    ],
)
def test_a_technical_phrase_is_allowed(text: str) -> None:
    assert list(banned_phrases(text)) == []


def _literals() -> Iterator[tuple[str, str]]:
    generators = ROOT.glob("tools/write_*_page.py")
    for path in sorted([*(ROOT / "neuron_cluster").rglob("*.py"), *generators]):
        place = str(path.relative_to(ROOT))
        if not place.startswith(IN_TEMPLATES):
            for line, text in _texts_of(nodes(path)):
                yield f"{place}:{line}", text


def _explanations() -> Iterator[tuple[str, str]]:
    """Docstrings and comments without the code in them. A Neuron chip is a row of the catalog, so it may be named."""
    for path in (ROOT / "app.py", *(ROOT / "neuron_cluster").rglob("*.py"), *(ROOT / "stacks").rglob("*.py")):
        place = str(path.relative_to(ROOT))
        if not place.startswith("local_aws/"):
            for line, text in _explained_in(path):
                yield f"{place}:{line}", _without_code(text)


def _without_code(text: str) -> str:
    return re.sub(r"`[^`]*`|\bchips?\b", "code", text, flags=re.IGNORECASE)


def _explained_in(path: Path) -> Iterator[tuple[int, str]]:
    for node in statements(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    source = path.read_text(encoding="utf-8")
    behind = (line.partition("#")[2] for line in source.splitlines())
    if not any(text and any(banned_phrases(_without_code(text))) for text in behind):
        return  # to find comments among literals takes longer than all else here
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _texts_of(module: tuple[ast.AST, ...]) -> Iterator[tuple[int, str]]:
    skipped = {id(part) for node in module for part in _no_text_of(node)}
    for node in module:
        if id(node) in skipped:
            continue
        match node:
            case ast.JoinedStr(values=parts):
                yield node.lineno, "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts)
            case ast.Constant(value=str() as text) if re.search(r"\s", text.strip()):
                yield node.lineno, text


def _no_text_of(node: ast.AST) -> Iterator[ast.AST]:
    """Docstrings, and the parts of an f-string, which is read as a whole."""
    if isinstance(node, ast.JoinedStr):
        yield from (part for part in node.values if isinstance(part, ast.Constant))
    for statement in getattr(node, "body", None) or () if not isinstance(node, ast.Lambda | ast.IfExp) else ():
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            yield statement.value


def _helps(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    yield f"--help of {parser.prog}", parser.format_help()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield from _helps(verb)


def _prose(path: Path) -> str:
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "`code`", text)


def _names() -> Iterator[tuple[str, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = f"name {path.relative_to(ROOT)}"
            yield place, path.stem if path.stem != "__init__" else path.parent.name
            for node in statements(path):
                if isinstance(node, ast.ClassDef | ast.FunctionDef):
                    yield f"{place}:{node.lineno}", node.name
