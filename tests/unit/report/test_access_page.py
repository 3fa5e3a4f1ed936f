"""The tables of ``access``: what they tell apart, and how they look at both widths."""

from __future__ import annotations

import pytest

from neuron_cluster.access.matrix import AccessMatrix
from neuron_cluster.cli.rich_table import table_text
from neuron_cluster.report.access_page import access_as_data, access_tables, notes
from tests.unit.access.templates import golden_matrix


@pytest.fixture(scope="module")
def matrix() -> AccessMatrix:
    return golden_matrix("train-trn1")


def test_roles_with_and_without_access_are_in_tables_of_their_own(matrix: AccessMatrix) -> None:
    of_fsx, without = access_tables(matrix, matrix.roles, complete=False)
    assert of_fsx.title.startswith("train-trn1-storage/AWSServiceRoleForFSxS3Access on")
    assert len(without.rows) == len(matrix.roles) - 1
    assert ("train-trn1-cluster/AddonvpccniRoleawsnodeRoleF927B0D0", "pods of kube-system/aws-node") in without.rows


def test_prefixes_with_one_decision_are_one_row(matrix: AccessMatrix) -> None:
    rows = access_tables(matrix, matrix.roles, complete=False)[0].rows
    assert ("s3:PutObject", "(every prefix)", "allowed", "AWSServiceRoleForFSxS3Access[0]") in rows
    assert ("s3:DeleteObjectVersion", "(every prefix)", "denied", "no statement allows it") in rows
    assert ("kms:Decrypt", "-", "allowed", "DataKey2A0DE9E6[1] LustreReadsAndWritesTheBucket") in rows


def test_a_chosen_role_without_access_has_its_own_table(matrix: AccessMatrix) -> None:
    chosen = [role for role in matrix.roles if role.logical_id.startswith("NodeRole")]
    tables = access_tables(matrix, chosen, complete=True)
    assert len(tables) == 2
    assert {row[2] for table in tables for row in table.rows} == {"denied"}


@pytest.mark.parametrize("width", [80, 200])
def test_tables_fit(width: int, matrix: AccessMatrix) -> None:
    for table in access_tables(matrix, matrix.roles, complete=False):
        lines = table_text(table, width, colour=False).splitlines()
        assert [line for line in lines if len(line) > width and " " in line] == []


def test_data_has_every_cell_of_the_roles(matrix: AccessMatrix) -> None:
    data = access_as_data(matrix, matrix.roles)
    assert len(data["cells"]) == len(matrix.cells)
    assert {cell["role"] for cell in data["cells"]} == {role["name"] for role in data["roles"]}
    (deletes,) = (
        cell
        for cell in data["cells"]
        if cell["action"] == "s3:DeleteObject" and cell["allowed"] and cell["prefix"] == "checkpoints/"
    )
    assert deletes["role"] == "train-trn1-storage/AWSServiceRoleForFSxS3Access"


def test_notes_state_what_is_not_considered(matrix: AccessMatrix) -> None:
    assert "administrators of the account" in notes(matrix)[0]
