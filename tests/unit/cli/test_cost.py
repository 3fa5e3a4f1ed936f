"""`cost` on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.aws.prices import price_list_target
from neuron_cluster.aws.session import AwsTarget, close_clients
from tests.recorded_prices import Recorded

from .conftest import Command

COLUMNS = ("idle", "desired", "maximum")
AS_OF = ("--as-of", "2026-11-27")


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("environment", ["train-trn1", "train-trn2", "dev-trn2", "workstation"])
def test_text_fits_the_terminal_and_breaks_no_amount(
    columns: int, environment: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = command("cost", environment, *AS_OF)
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= columns
    titles = [line.split() for line in ran.out.splitlines() if "idle" in line and "maximum" in line and ":" not in line]
    assert all([each for each in line if each in COLUMNS] == ["idle", "desired", "maximum"] for line in titles)
    assert len(titles) >= 4
    assert not re.search(r"\d,$|\.\d$", ran.out, re.MULTILINE)


def test_the_sums_come_first_and_then_a_line_for_each_thing(command: Command) -> None:
    text = " ".join(command("cost", "train-trn1", *AS_OF).out.split())
    assert "an hour 4.54 350.09 350.52" in text
    assert "a month (730 hours) 3,310.70 255,566.06 255,876.40" in text
    assert "trn1: trn1.32xlarge 0/16/16 21.5 /h ? 0.00 251,120.00 251,120.00" in text
    assert "NAT gateway 1 0.045 /h ? 32.85 32.85 32.85" in text
    assert "data through NAT gateways 0.045 /GB" in text
    assert "Standard support of Kubernetes 1.35 ends on 2027-03-27" in text


def test_unknown_is_a_word_in_text_and_null_in_json_never_zero(command: Command) -> None:
    text = " ".join(command("cost", "dev-trn2", *AS_OF).out.split())
    assert "system: m7i.large 2/2/3 unknown unknown unknown unknown" in text
    assert "a month (730 hours) at least 78.65 at least 78.65 at least 1,954.75" in text
    assert "trn2: trn2.3xlarge 0/0/1 2.57 /h spot 0.00 0.00 1,876.10" in text
    document = command("cost", "dev-trn2", *AS_OF, "--format", "json").document
    system = document["lines"][0]
    assert (system["price"], system["monthly_usd"]["desired"]) == (None, None)
    assert system["why_unknown"] == "the catalog has no price of this type in this Region"
    total = document["totals"]["desired"]
    assert (total["monthly_usd"], total["monthly_at_least_usd"]) == (None, 78.65)


def test_json_has_source_and_date_of_each_price(command: Command) -> None:
    document = command("cost", "train-trn1", *AS_OF, "--format", "json").document
    assert set(document) == {
        "environment", "region", "on", "hours_per_month", "totals", "shares", "extended_support", "lines",
        "capacity_blocks", "rates", "by_use", "live", "findings",
    }  # fmt: skip
    assert all(line["price"]["source"] and line["price"]["as_of"] for line in document["lines"])
    assert set(document["lines"][0]) == {
        "section", "name", "what", "unit", "quantities", "period", "price", "why_unknown", "team", "parts",
        "is_neuron", "price_key", "hourly_usd", "monthly_usd",
    }  # fmt: skip


def test_the_overhead_is_a_line_of_its_own_and_the_shares_add_up(command: Command) -> None:
    text = " ".join(command("cost", "train-trn1", *AS_OF).out.split())
    assert "Neuron instances, no team 0.00 252,255.36 252,255.36" in text
    assert "overhead 3,310.70 3,310.70 3,621.04" in text
    document = command("cost", "train-trn1", *AS_OF, "--format", "json").document
    for scenario, total in document["totals"].items():
        parts = [share["totals"][scenario]["monthly_usd"] for share in document["shares"]]
        assert sum(parts) == pytest.approx(total["monthly_usd"])
    assert [(share["kind"], share["name"]) for share in document["shares"]] == [
        ("shared", "shared"),
        ("overhead", "overhead"),
    ]


def test_a_block_without_dates_and_price_is_unknown_and_in_no_sum(command: Command) -> None:
    ran = command("cost", "train-trn2", *AS_OF)
    text = " ".join(ran.out.split())
    assert "trn2: trn2.48xlarge 4 unknown unknown unknown unknown" in text
    assert "Instances of a capacity block are in no sum" in text
    blocks = command("cost", "train-trn2", *AS_OF, "--format", "json").document["capacity_blocks"]
    assert (blocks["usd"], blocks["at_least_usd"]) == (None, None)


def test_the_plan_has_the_same_sum_in_both_forms(command: Command) -> None:
    assert ", in all 255,566.06 USD a month\n" in command("plan", "train-trn1", *AS_OF).out
    text = " ".join(command("plan", "train-trn1", "--details", *AS_OF).out.split())
    assert "In all: 255,566.06 USD a month at the desired count, without what is billed by use; " in text


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    aws = Recorded("us-west-2")
    aws.instance(0.21168)
    aws.instance(0.7582)
    aws.usages(("EBS:VolumeUsage.gp3", 0.08))
    aws.usages(("EBS:VolumeP-Throughput.gp3", 40.96))
    aws.usages(("AmazonEKS-Hours:perCluster", 0.10))
    for _ in range(3):
        aws.usages()
    yield aws
    aws.close()


def test_live_prices_stand_beside_those_of_the_catalog(command: Command, recorded: Recorded) -> None:
    ran = command("cost", "dev-inf2", *AS_OF, "--live")
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    text = " ".join(ran.out.split())
    assert "by the catalog 274.67 274.67 1,505.22" in text
    # 2, 2, 3 x (0.21168 - 0.1008) x 730 = 161.88, 242.83 more
    assert "by AWS 436.55 436.55 1,748.05" in text
    assert "system: m7i.large 0.1008 0.21168 +110.0%" in text
    assert "inf2: inf2.xlarge 0.7582 0.7582 none" in text
    assert "NAT gateway 0.045 the price list has no - price of it in this Region" in text


def test_live_prices_as_json_have_totals_and_each_price(command: Command, recorded: Recorded) -> None:
    live = command("cost", "dev-inf2", *AS_OF, "--live", "--format", "json").document["live"]
    assert live["totals"]["desired"]["monthly_usd"] == pytest.approx(436.5528)
    nat = next(price for price in live["prices"] if price["what"] == "NAT gateway")
    assert (nat["catalog_usd"], nat["live_usd"], nat["share"]) == (0.045, None, None)
    assert nat["why_unknown"]


@pytest.mark.parametrize("output_format", ["text", "json"])
def test_without_credentials_live_says_that_the_rest_needs_none(
    output_format: str, command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    targets = (AwsTarget("us-west-2"), price_list_target(AwsTarget("us-west-2")))
    for target in targets:
        close_clients(target)
    ran = command("cost", "dev-inf2", "--live", "--format", output_format)
    for target in targets:
        close_clients(target)
    assert ran.status == 1
    text = " ".join((ran.out + ran.err).split())
    assert "no usable AWS credentials" in text
    assert "without --live the command needs no account" in text
    assert "Traceback" not in text
