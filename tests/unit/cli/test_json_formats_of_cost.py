"""The JSON of `cost` has every property that its schema describes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.five_teams import FIVE, written_with_teams
from tests.json_outputs import FORMAT, accepted_mutations, unseen
from tests.recorded_prices import Recorded

from .conftest import Command

AS_OF = ("--as-of", "2026-11-27")


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    """The price list without a price for any of the queries of dev-inf2."""
    aws = Recorded("us-west-2")
    for _ in range(2):
        aws.instance(None)
    for _ in range(6):
        aws.usages()
    yield aws
    aws.close()


def test_every_property_of_a_cost_is_printed(command: Command, recorded: Recorded, tmp_path: Path) -> None:
    teams = str(written_with_teams(tmp_path, FIVE))
    lines = (("dev-inf2", "--live"), ("train-trn2",), (teams,))
    found = [command("cost", *line, *AS_OF, *FORMAT).document for line in lines]
    assert unseen("cost", found) == []
    assert [change for each in found for change in accepted_mutations("cost", each)] == []
    assert {share["kind"] for each in found for share in each["shares"]} == {"team", "shared", "overhead"}
    assert {price["live_usd"] for price in found[0]["live"]["prices"]} == {None}
    support = found[2]["extended_support"]
    assert support["on"] == support["extended_since"]
