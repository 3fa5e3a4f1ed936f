"""The page of recorded outcomes counts what agrees with AWS, without what is not emulated."""

from __future__ import annotations

from write_outcomes_page import page

CASES = [
    {"rule": "b", "service": "eks", "fail": "like", "emitted": True, "pass": "created", "pass_recorded": True},
    {"rule": "a", "service": "eks", "fail": "accepted", "emitted": False},
    {"rule": "c", "service": "ec2", "fail": "said-so"},
    {"rule": "d", "service": "ec2", "pass": "refused", "pass_recorded": True},
]
BOUNDARIES = [{"expect": "created", "here": "created"}]


def test_the_page_counts_by_service_and_lists_by_rule() -> None:
    lines = page({"cases": CASES, "boundaries": BOUNDARIES}).splitlines()
    assert "| ec2 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | - |" in lines
    assert "| eks | 0 | 1 | 0 | 0 | 1 | 0 | 0 | 50 % |" in lines
    assert "| of properties that this toolkit emits | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 100 % |" in lines
    assert "Templates that AWS created: 1 created, 1 refused." in lines
    assert "Values at the bounds of what AWS accepts: 1 AWS created, here created." in lines
    assert lines[-3:] == ["| `a` | accepted |", "| `b` | like |", "| `c` | not emulated |"]
