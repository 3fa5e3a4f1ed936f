"""The facts that come with the local AWS are the catalog's, and another knowledge takes their place."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from write_local_aws_facts import facts

from local_aws.knowledge import current
from local_aws.knowledge.knowledge import Knowledge, Table
from neuron_cluster.local_checks.catalog_knowledge import CATALOG_KNOWLEDGE, TABLES


@pytest.fixture
def restored() -> Iterator[None]:
    before = current.knowledge()
    yield
    current.use(before)


def test_the_files_are_those_that_the_tool_writes() -> None:
    written = [str(file) for file, content in facts() if not file.is_file() or file.read_bytes() != content]
    assert written == [], "run tools/write_local_aws_facts.py"


def test_the_catalog_has_each_table() -> None:
    assert {name for name, each in vars(Knowledge).items() if isinstance(each, Table)} == TABLES.keys()


@pytest.mark.parametrize("table", TABLES)
def test_files_and_catalog_have_the_same_rows(table: str) -> None:
    assert getattr(current.VENDORED, table) == getattr(CATALOG_KNOWLEDGE, table)


@pytest.mark.usefixtures("restored")
def test_another_knowledge_answers_from_then_on() -> None:
    @current.kept_by_region
    def limits_there(region: str) -> Any:
        return region, sorted(current.knowledge().limits)

    assert current.limit("port").require_maximum() == 65535
    assert "port" in limits_there("us-west-2")[1]
    other: Knowledge = SimpleNamespace(limits={})  # type: ignore[assignment]  # the only table that is asked for
    current.use(other)
    assert limits_there("us-west-2") == ("us-west-2", [])
    with pytest.raises(LookupError, match="no limit 'port'"):
        current.limit("port")
