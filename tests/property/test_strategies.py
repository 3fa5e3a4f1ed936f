"""The strategies follow the model: what is added to it is drawn, and what nobody draws is noticed."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, Literal

import pytest
from drawn import PATHS, environments
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.vendor.pretty import pretty
from known_names import all_known_names
from model_values import Values
from patience import Patience
from pydantic import BeforeValidator, Field, create_model
from yaml_text import Edit, Environment, Tree

from neuron_cluster.config.environment_config import environment_model
from neuron_cluster.config.scalars import ClosedModel, WholeNumber, whole_number

QUICK = settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
DRAW_ONLY = settings(QUICK, max_examples=500, phases=[Phase.generate])


SHOWN = """
name: a
eks:
  version: 1.30
  access: {}
tags:
  n: ""
  m: no

the edit, of eks.version:
--- before
+++ after
@@ -1,5 +1,5 @@
 name: a
 eks:
-  version: 1.30
+  version: 1.31
   access: {}
 tags:"""


class Colour(enum.StrEnum):
    RED = "red"


class Square(ClosedModel):
    kind: Literal["square"]
    side: Annotated[WholeNumber, Field(ge=3, le=9)]


class Circle(ClosedModel):
    kind: Literal["circle"]
    instance_types: list[Annotated[str, Field(examples=["inf2.xlarge"])]] | None = None


class Later(ClosedModel):
    """A section as a later release may have it: every kind of type that the model uses, none known by name here."""

    shape: Annotated[Square | Circle, Field(discriminator="kind")]
    colour: Colour | None = None
    size: Annotated[Literal[1, 2], BeforeValidator(whole_number)] | None = None
    code: Annotated[str, Field(pattern=r"^[a-f]{3}-[0-9]+$")] | None = None
    words: Annotated[list[str], Field(min_length=1)]
    labels: dict[str, str] | None = None


LATER_ENVIRONMENT = create_model("LaterEnvironment", __base__=environment_model(), later=(Later | None, None))
"""The environment with one field more."""


LATER_PATHS = ["shape", "shape.side", "shape.instance_types", "colour", "size", "code", "words", "labels"]
KNOWN = all_known_names()[0]


def paths_in(node: Any, above: str = "") -> Iterator[str]:
    """The pattern path of everything in the tree."""
    if isinstance(node, dict):
        for key, item in node.items():
            path = f"{above}.{key}" if above else key
            yield path
            yield from paths_in(item, path)
    elif isinstance(node, list):
        for item in node:
            yield from paths_in(item, f"{above}[]")


def first(strategy: st.SearchStrategy[Any], path: str) -> Any:
    """The first one drawn that has the path. Raises NoSuchExample."""
    return find(strategy, lambda found: path in {*paths_in(getattr(found, "tree", found))}, settings=DRAW_ONLY)


@given(tree=Values(KNOWN).mapping(Later))
@QUICK
def test_what_is_drawn_for_a_new_model_is_what_the_model_takes(tree: Tree) -> None:
    Later.model_validate(tree)


@pytest.mark.exhaustive
def test_every_field_of_a_new_section_is_drawn() -> None:
    missing = {f"later.{path}" for path in LATER_PATHS}

    def look(tree: Tree) -> bool:
        missing.difference_update(paths_in(tree))
        return not missing

    with contextlib.suppress(NoSuchExample):
        find(Values(KNOWN).mapping(LATER_ENVIRONMENT), look, settings=DRAW_ONLY)
    assert missing == set()


@given(tree=Values(KNOWN).mapping(Circle, wanted=["instance_types"]))
@QUICK
def test_a_new_field_chooses_among_the_names_that_its_example_is_of(tree: Tree) -> None:
    assert {*tree["instance_types"]} <= {row.name for row in catalog_rows()}


def catalog_rows() -> Sequence[Any]:
    from neuron_cluster.catalog.catalog import load_catalog

    return load_catalog().instance_types.rows


@pytest.mark.exhaustive
def test_every_field_of_the_model_is_drawn() -> None:
    """Each is asked for that the trees before did not have by themselves."""
    missing = dict.fromkeys(PATHS)
    while missing:
        path = next(iter(missing))
        tree = first(Values(KNOWN).mapping(environment_model(), path.split(".")), path)
        missing = {each: None for each in missing if each not in {*paths_in(tree)}}


@pytest.mark.exhaustive
@pytest.mark.parametrize("path", PATHS)
def test_every_field_of_the_model_is_drawn_in_an_environment_without_an_error(path: str) -> None:
    first(environments(path), path)


@pytest.mark.slow
@given(environment=environments())
@settings(QUICK, max_examples=5)
def test_what_is_written_is_what_was_drawn(environment: Environment) -> None:
    """The toolkit reads the text as the tree that it was made of."""
    from neuron_cluster.config.document import read_document

    document = read_document(environment.text, "environment.yaml")
    assert document.findings == []
    assert document.tree == environment.tree


@pytest.mark.exhaustive
def test_a_failing_environment_shrinks_to_what_it_takes() -> None:
    """A planted defect: no home may be larger than 300 GiB."""

    def is_too_large(found: Environment) -> bool:
        return any(int(home["size_gib"]) > 300 for home in found.tree.get("storage", {}).get("homes", []))

    smallest = find(environments("storage.homes[].size_gib"), is_too_large, settings=QUICK)
    assert len(smallest.text.splitlines()) <= 20, smallest


def test_an_edit_is_shown_as_the_file_and_the_line_that_changes() -> None:
    before = {"name": "a", "eks": {"version": "1.30", "access": {}}, "tags": {"n": "", "m": "no"}}
    after = {**before, "eks": {"version": "1.31", "access": {}}}
    assert pretty(Edit("eks.version", before, after)).rstrip() == SHOWN


def test_shrinking_ends_after_its_budget_with_the_smallest_failure_that_was_seen() -> None:
    """No look is taken twice, and none after the budget; what failed before goes on failing."""
    looks: list[str] = []

    def look(text: str) -> Callable[[], None]:
        def fail_for_long_ones() -> None:
            looks.append(text)
            assert len(text) < 3

        return fail_for_long_ones

    patience = Patience(seconds=0)
    patience.run("a", look("a"))
    for text in ("long", "long"):
        with pytest.raises(AssertionError):
            patience.run(text, look(text))
    patience.run("longer", look("longer"))
    assert looks == ["a", "long"]
