"""`capacity` on the command line, as far as it goes without an account."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.aws.session import AwsTarget, close_clients
from neuron_cluster.cli.main import build_parser

from .conftest import Command

TRN2 = ("capacity", "search", "--type", "trn2.48xlarge")


@pytest.mark.parametrize("question", [[], ["search"], ["offers"]])
def test_help_fits_80_columns_and_its_examples_parse(question: list[str], command: Command) -> None:
    ran = command("capacity", *question, "--help")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    _, _, examples = ran.out.partition("examples:\n")
    commands = [line.strip().split("    ")[0] for line in examples.replace("\\\n", " ").splitlines()]
    parsed = [line for line in commands if line.startswith("neuron-cluster")]
    assert parsed
    for line in parsed:
        build_parser().parse_args(line.split()[1:])


def test_help_says_that_nothing_is_bought_and_what_is_asked(command: Command) -> None:
    assert "buys nothing" in command("capacity", "--help").out
    search = command("capacity", "search", "--help").out
    for text in ("ec2:DescribeCapacityBlockOfferings", "read-only", "whole days up to 14", "--local"):
        assert text in search


@pytest.mark.parametrize(
    "arguments",
    [
        ["capacity"],
        ["capacity", "search"],
        ["capacity", "search", "--type", "trn2.48xlarge", "--ultraserver", "u-trn2x64"],
        [*TRN2, "--count", "0"],
        [*TRN2, "--count", "-1"],
        [*TRN2, "--count", "two"],
        [*TRN2, "--from", "tomorrow"],
        [*TRN2, "--until", "20261201"],
        [*TRN2, "--region", "us-east-2,"],
        ["capacity", "offers"],
    ],
)
def test_a_wrong_command_line_ends_with_2(arguments: list[str], command: Command) -> None:
    ran = command(*arguments)
    assert ran.status == 2
    assert ran.err.startswith("usage: neuron-cluster capacity")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*TRN2, "--count", "65"], "several blocks"),
        ([*TRN2, "--duration", "15d"], "the nearest: 14d or 21d"),
        ([*TRN2, "--region", "us-eats-2"], "did you mean us-east-2"),
        ([*TRN2, "--until", "2020-01-01"], "is in the past"),
        (["capacity", "search", "--type", "trn2.48xlarg"], "did you mean trn2.48xlarge"),
        (["capacity", "search", "--type", ""], "'' is not an instance type"),
        ([*TRN2, "--from", "9999-12-31", "--until", "9999-12-31"], "does not fit between 9999-12-31"),
        (["capacity", "search", "--type", "trn1n.32xlarge"], "the catalog has no capacity blocks of"),
        (["capacity", "search", "--type", "trn2u.48xlarge"], "--ultraserver u-trn2x64"),
        (["capacity", "search", "--ultraserver", "u-trn3"], "known: u-trn2x64"),
        (["capacity", "offers", "train-trn2", "--duration", "36h"], "the nearest: 1d or 2d"),
        (["capacity", "offers", "train-trn9"], "train-trn2"),
    ],
)
def test_what_no_region_could_offer_is_refused_before_any_is_asked(
    arguments: list[str], said: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    ran = command(*arguments)
    assert (ran.status, ran.out) == (1, "")
    assert said in " ".join(ran.err.split())
    assert "Asking" not in ran.err
    as_json = command(*arguments, "--format", "json")
    (finding,) = as_json.document["findings"]
    assert said in finding["message"] + finding["hint"]


def test_without_credentials_it_says_how_to_sign_in_and_once(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    regions = ("us-east-2", "ap-south-2")
    for region in regions:
        close_clients(AwsTarget(region))
    ran = command(*TRN2, "--region", ",".join(regions))
    for region in regions:
        close_clients(AwsTarget(region))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.count("no usable AWS credentials") == 1
    assert "query failed" not in ran.err
    assert "--local" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_an_environment_without_blocks_has_nothing_to_ask(output_format: str, command: Command) -> None:
    ran = command("capacity", "offers", "dev-inf2", "--format", output_format)
    assert (ran.status, ran.err) == (0, "")
    if output_format == "json":
        assert ran.document == {"environment": "dev-inf2", "region": "us-west-2", "groups": []}
    else:
        assert "nothing to query" in ran.out
