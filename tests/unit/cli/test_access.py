"""``neuron-cluster access``, with the templates of a synthesis."""

from __future__ import annotations

import pytest

from .conftest import Command

pytestmark = pytest.mark.slow


def test_json_has_each_decision_of_each_role(command: Command) -> None:
    ran = command("access", "train-trn1", "--format", "json")
    assert ran.status == 0
    (bucket,) = ran.document["buckets"]
    cells = ran.document["cells"]
    assert {cell["role"] for cell in cells} == {role["name"] for role in ran.document["roles"]}
    assert {cell["bucket"] for cell in cells} == {bucket["name"]}
    assert [cell for cell in cells if cell["action"] == "s3:DeleteObjectVersion" and cell["allowed"]] == []
    (admins,) = ran.document["kubernetes"]
    assert (admins["kind"], admins["namespaces"]) == ("everything", None)


def test_a_role_that_does_not_exist_is_named(command: Command) -> None:
    ran = command("access", "train-trn1", "--role", "nobody")
    assert ran.status == 1
    assert "no role has nobody in its name" in ran.err
