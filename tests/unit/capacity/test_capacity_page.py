"""The table of offers, narrow and wide."""

import pytest

from neuron_cluster.cli.rich_table import table_text
from neuron_cluster.report.capacity_page import WIDE_ENOUGH, offers_table

from .offers import an_offer

LARGE = an_offer(fee="12345678.90", count=64, hours=182 * 24 - 0.5, region="ap-southeast-2", zone_id="apse2-az1")


@pytest.mark.parametrize("width", [80, WIDE_ENOUGH, 200])
def test_every_number_and_name_is_whole_and_the_table_fits(width: int) -> None:
    text = table_text(offers_table([LARGE, an_offer()], "offers", width), width, colour=False)
    for word in ("ap-southeast-2", "apse2-az1", "2026-12-01 11:30", "4367.5", "64", "12,345,678.90", "44.17", "2.760",
                 LARGE.offering.id, "USD total", "858.26"):  # fmt: skip
        assert word in text
    assert max(map(len, text.splitlines())) <= width
    assert len([line for line in text.splitlines() if "2026-12-01" in line]) == 2


def test_a_wide_terminal_has_one_line_for_an_offer() -> None:
    table = offers_table([LARGE], "offers", WIDE_ENOUGH)
    assert all("\n" not in cell for cell in table.rows[0])
    assert "per instance-hour" in table.columns


def test_a_zone_without_a_known_id_is_said_to_be_unknown() -> None:
    assert "not known" in offers_table([an_offer(zone_id=None)], "offers", 200).rows[0]
