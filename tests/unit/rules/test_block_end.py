"""On the day a block ends, the hour decides: from half an hour before the end the file is rejected."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from rule_fixture import rule_fixture

from neuron_cluster.pipeline import check_environment
from neuron_cluster.rules.block_window import Today


@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        (date(2026, 12, 8), "W3052"),
        (Today.at(datetime(2026, 12, 8, 10, 59, tzinfo=UTC)), "W3052"),
        (Today.at(datetime(2026, 12, 8, 11, 0, tzinfo=UTC)), "E3043"),
        (Today.at(datetime(2026, 12, 8, 16, 44, tzinfo=UTC)), "E3043"),
        (Today.at(datetime(2026, 12, 9, 0, 1, tzinfo=UTC)), "E3043"),
    ],
)
def test_a_block_of_today_is_over_by_its_hour(as_of: date, expected: str, tmp_path: Path) -> None:
    case = rule_fixture("W3052").bad[0]
    file = case.write(tmp_path)
    found = check_environment(file, display_name="a.yaml", catalog=case.catalog, as_of=as_of).findings
    assert [each.id for each in found if each.id in ("W3052", "E3043")] == [expected]
