"""The rows of `init` and `new` about the shipped environments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from neuron_cluster.sizing.request import Task
from neuron_cluster.starter.data_file import placeholders, purposes, template_rows
from neuron_cluster.starter.placeholders import placeholders_in
from neuron_cluster.starter.template import template, templates, templates_for
from neuron_cluster.upgrade.file_edit import scalar_values


def test_every_shipped_environment_has_a_row() -> None:
    assert sorted(template_rows()) == [each.name for each in templates()]


def test_every_shipped_environment_is_in_the_table_of_its_page() -> None:
    page = (Path(__file__).parents[3] / "docs" / "new-environment.md").read_text(encoding="utf-8")
    first_cells = re.findall(
        r"^\| (`[^|]+) \|", page.partition("| file | environment |")[2].partition("\n\n")[0], re.MULTILINE
    )
    named = [name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)]
    assert sorted(named) == sorted(each.name for each in templates())


@pytest.mark.parametrize("name", template_rows())
def test_a_row_names_purposes_and_machines_that_exist(name: str) -> None:
    row = template_rows()[name]
    assert set(row.purposes) <= set(purposes())
    if row.machines is not None:
        *section, machine = row.machines.split(".")
        names = {
            value for path, value in scalar_values(template(name).text).items()
            if path[:-2] == tuple(section) and path[-1] == "name"
        }  # fmt: skip
        assert machine in names


@pytest.mark.parametrize("name", purposes())
def test_a_purpose_has_a_template_and_a_task_of_recommend(name: str) -> None:
    assert templates_for(name)
    assert purposes()[name].task in list(Task)


def test_every_placeholder_is_in_a_template() -> None:
    values = {value for each in templates() for value in scalar_values(each.text).values()}
    for each in placeholders():
        assert any(re.fullmatch(each.value, value) for value in values), each.value


def test_placeholders_are_named_by_their_keys() -> None:
    found = {write: keys for keys, write in placeholders_in(template("train-trn2").text)}
    assert found["the id of the capacity reservation"] == ("eks.node_groups[1].capacity.reservation_id",)
    assert found["the AWS account"] == ("account",)
