"""Items of a list in a file come and go; everything else stays as it is written."""

from __future__ import annotations

import pytest

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.errors import ToolkitError
from neuron_cluster.upgrade.list_edit import Item, ListEdit, RemovedKey, with_list, without_key, yaml_text

TEXT = """\
# the head
eks:
  endpoint:
    access: public_and_private  # from the office
    cidrs: ["203.0.113.0/24", 198.51.100.0/24]  # two
  groups:
    - name: a
      taints:
        # of the team
        - {key: team, value: ml, effect: no_schedule}
        - {key: gone, effect: no_execute}
      labels: {team: ml}
    - {name: b, taints: [{key: x, effect: no_schedule}]}
  last:
    - a
    - b
"""
CIDRS: KeyPath = ("eks", "endpoint", "cidrs")
TAINTS: KeyPath = ("eks", "groups", 0, "taints")
TEAM = {"effect": "no_schedule", "value": "ml", "key": "team"}


@pytest.mark.parametrize(
    ("path", "after", "gone", "come"),
    [
        (CIDRS, ("203.0.113.0/24",), [TEXT.splitlines()[4]], ['    cidrs: ["203.0.113.0/24"]  # two']),
        (
            CIDRS,
            ("203.0.113.0/24", "198.51.100.0/24", "192.0.2.1/32"),
            [TEXT.splitlines()[4]],
            ['    cidrs: ["203.0.113.0/24", 198.51.100.0/24, "192.0.2.1/32"]  # two'],
        ),
        (
            TAINTS,
            (TEAM, {"key": "new", "value": "true", "effect": "no_schedule"}),
            ["        - {key: gone, effect: no_execute}"],
            ['        - {key: new, value: "true", effect: no_schedule}'],
        ),
        (("eks", "last"), ("b", "c"), ["    - a"], ["    - c"]),
        (("eks", "last"), (), ["  last:", "    - a", "    - b"], []),
        (CIDRS, (), [TEXT.splitlines()[4]], []),
    ],
)
def test_only_lines_of_items_that_differ_change(
    path: KeyPath, after: tuple[Item, ...], gone: list[str], come: list[str]
) -> None:
    before, made = TEXT.splitlines(), with_list(TEXT, ListEdit(path, after)).splitlines()
    assert [line for line in before if line not in made] == gone
    assert [line for line in made if line not in before] == come


def test_a_file_without_an_end_of_line_gets_the_item_on_a_line_of_its_own() -> None:
    assert with_list("a:\r\n- b", ListEdit(("a",), ("b", "c"))) == "a:\r\n- b\r\n- c\r\n"


@pytest.mark.parametrize("path", [("eks", "groups", 0, "labels", "team"), ("eks", "groups", 1, "taints")])
def test_a_key_in_a_mapping_on_one_line_is_not_taken_out(path: KeyPath) -> None:
    with pytest.raises(ToolkitError, match="without changing more than its value"):
        without_key(TEXT, RemovedKey(path))


@pytest.mark.parametrize("path", [("eks", "endpoint", "access"), ("eks", "none"), ("eks", "groups")])
def test_what_is_no_list_of_short_items_is_not_edited(path: KeyPath) -> None:
    with pytest.raises(ToolkitError, match="without changing more than its value"):
        with_list(TEXT, ListEdit(path, ("a",)))


def test_a_text_that_is_no_text_to_yaml_is_quoted() -> None:
    assert yaml_text(["a/b", "true", "12", "x: y", {"k": "off"}]) == '[a/b, "true", "12", "x: y", {k: "off"}]'
