"""Which rules AWS enforces, and that each of those reaches the calls of the local AWS."""

from __future__ import annotations

from neuron_cluster.local_checks.templates import enforced_template_rules
from neuron_cluster.template_rules.base import Verdict
from neuron_cluster.template_rules.discover import all_template_rules

LATER = {"E8221"}
"""An add-on without nodes is made, and degraded."""


def ids(verdict: Verdict) -> set[str]:
    return {rule.id for rule in all_template_rules() if rule.verdict is verdict}


def test_what_aws_accepts_is_a_house_rule() -> None:
    """A change here needs a source: the local AWS refuses what is not in this list."""
    assert sorted(ids(Verdict.TOOLKIT_RULE)) == [
        *("E8002",),
        *(
            "E8109",
            "E8110",
            "E8112",
            "E8124",
            "E8125",
            "E8126",
        ),
        *(
            "E8203",
            "E8206",
            "E8208",
            "E8211",
            "E8212",
            "E8213",
            "E8214",
            "E8215",
            "E8218",
            "E8231",
            "E8232",
            "E8233",
            "E8234",
            "E8235",
            "E8236",
            "E8237",
            "E8238",
            "E8239",
            "E8240",
            "E8241",
            "E8242",
            "E8243",
            "E8244",
            "E8249",
        ),
        *(
            "E8305",
            "E8309",
            "E8313",
        ),
        *(
            "E8401",
            "E8402",
            "E8403",
            "E8404",
            "E8411",
            "E8412",
            "E8413",
        ),
        *("E8501",),
        *(
            "E8601",
            "E8602",
            "E8604",
        ),
        *("E8705",),
        *(f"E89{number}" for number in (12, 13, 14, 16, 19, 24, 25, 27, 30, 34, 35, 36, 37, 39, 40, 41)),
        "E8955",
        *(f"E89{number}" for number in range(60, 72)),
        *("W8315",),
    ]


def test_what_fails_later_is_not_refused_by_the_call() -> None:
    assert ids(Verdict.FAILS_LATER) == LATER


def test_rules_about_whole_templates_are_read_where_templates_come_in() -> None:
    """Calls that violate the others prove that each is read in a call: tests/unit/local_aws/enforcement."""
    assert {rule.id for rule in enforced_template_rules()} == {"E8701", "E8702", "E8703"}
