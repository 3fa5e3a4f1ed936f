"""`lock` on the command line, as far as it goes without an account."""

from __future__ import annotations

import pytest

from .conftest import Command


def test_help_says_what_it_asks_where_it_writes_and_what_wins(command: Command) -> None:
    ran = command("lock", "--help")
    assert ran.status == 0
    for text in ("environments/locks/", "read-only", "--check", "--local", "--no-registry", "overrides its lock"):
        assert text in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_a_placeholder_account_is_refused_before_aws_is_asked(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    ran = command("lock", "dev-inf2", "--format", "json")
    assert ran.status == 1
    (finding,) = ran.document["findings"]
    assert (finding["id"], finding["path"], bool(finding["line"])) == ("E9502", "account", True)


@pytest.mark.parametrize("option", [[], ["--check"], ["--local"]])
def test_an_unknown_environment_answers_with_near_names(option: list[str], command: Command) -> None:
    ran = command("lock", "dev-inf3", *option, "--format", "json")
    assert ran.status == 1
    (finding,) = ran.document["findings"]
    assert (finding["id"], "dev-inf2" in finding["hint"]) == ("E0015", True)


@pytest.mark.parametrize("finding_id", ["E9101", "E9104", "E9106", "W9108", "E2020", "W2021"])
def test_what_can_be_wrong_with_a_lock_is_explained(finding_id: str, command: Command) -> None:
    ran = command("explain", finding_id)
    assert ran.status == 0
    assert "lock" in ran.out
