"""`plan` on the command line."""

from __future__ import annotations

from .conftest import Command


def test_json_holds_the_plan_the_price_and_the_findings(command: Command) -> None:
    ran = command("plan", "train-trn1", "--format", "json")
    assert ran.status == 0
    assert {"plan", "stacks", "price", "findings"} == set(ran.document)


def test_text_fits_80_columns_and_explains_the_mark_and_the_price(command: Command) -> None:
    ran = command("plan", "train-trn1")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "* not written in the file" in ran.out
    assert "reference price, dated" in " ".join(ran.out.split())
    assert "W6002" in ran.err


def test_the_small_environment_has_a_plan_without_storage(command: Command) -> None:
    ran = command("plan", "dev-inf2")
    assert ran.status == 0
    assert "dev-inf2-storage" not in ran.out
