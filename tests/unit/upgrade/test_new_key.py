"""A key that a file does not have is added to its mapping; nothing else changes."""

from __future__ import annotations

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.upgrade.file_edit import NewKey, with_new_key

TEXT = """# head
storage:
  lustre:
    # the zone of the nodes
    availability_zone: usw2-az4  # why
    sync:
      expire_days: 7
groups:
  - name: a
    count: {min: 0}
"""


def added(text: str, *path: str | int, value: str = "x") -> list[str]:
    """The lines that are new."""
    before = text.splitlines()
    made = with_new_key(text, NewKey(path, value)).splitlines()
    assert [line for line in made if line in before] == before
    return [line for line in made if line not in before]


def test_a_key_gets_the_indentation_of_its_mapping() -> None:
    assert added(TEXT, "storage", "lustre", "data_compression") == ["    data_compression: x"]


def test_a_key_of_a_list_item_is_below_its_first_key() -> None:
    assert added(TEXT, "groups", 0, "placement") == ["    placement: x"]


def test_mappings_on_the_way_are_added_too() -> None:
    assert added("schema: 1\n", "eks", "endpoint", "access") == ["eks:", "  endpoint:", "    access: x"]


def test_line_ends_of_another_system_stay() -> None:
    made = with_new_key("schema: 1\r\n", NewKey(("name",), "a"))
    assert made == "schema: 1\r\nname: a\r\n"


@pytest.mark.parametrize("path", [("groups", 0, "count", "max"), ("groups", 3, "name"), ("storage", "lustre", "sync")])
def test_what_cannot_be_added_alone_is_refused(path: tuple[str | int, ...]) -> None:
    with pytest.raises(ToolkitError, match="cannot be added"):
        with_new_key(TEXT, NewKey(path, "1"))
