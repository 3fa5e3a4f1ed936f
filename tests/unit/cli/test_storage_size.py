"""``neuron-cluster storage size``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from tests.every_case import every_case
from tests.json_outputs import FORMAT, assert_has_format

NODES = ("--instance-type", "trn1.32xlarge", "--nodes", "32", "--region", "us-east-2")
SEVENTY_B = ("storage", "size", "--parameters", "70B", *NODES)


def _data(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    given = [*arguments, *FORMAT]
    assert main(given) == status
    printed = capsys.readouterr().out
    assert_has_format(given, printed)
    found: dict[str, Any] = json.loads(printed)
    return found


def test_the_cheapest_of_four_tiers_is_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    found = _data(capsys, *SEVENTY_B, "--framework", "dcp")
    chosen, candidates = found["chosen"], found["candidates"]
    assert (found["checkpoint"]["bytes"], found["checkpoint"]["files"]) == (840e9, 1025)
    assert (chosen["capacity_gib"], chosen["throughput_mbps_per_tib"]) == (14_400, 1000)
    assert chosen["usd_per_month"]["total"] == min(each["usd_per_month"]["total"] for each in candidates)
    assert [each["throughput_mbps_per_tib"] for each in candidates] == [125, 250, 500, 1000]


def test_text_shows_each_number_with_its_formula(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*SEVENTY_B, "--framework", "dcp", "--mode", "async", "--interval-minutes", "30"]) == 0
    text = capsys.readouterr().out
    assert "70 billion parameters x 12 bytes" in text
    assert "840.0 GB / 586 MB/s" in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_a_stall_that_no_file_system_keeps_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    found = _data(capsys, *SEVENTY_B, "--framework", "dcp", "--stall-seconds", "0.001", status=1)
    assert found["chosen"] is None
    assert "No FSx for Lustre file system" in found["shortfalls"][0]


def test_a_copy_larger_than_host_memory_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--framework", "dcp", "--mode", "async", "--interval-minutes", "60")
    found = _data(capsys, *SEVENTY_B[:3], "2T", *NODES, *options, status=1)
    assert found["chosen"]["shortfalls"] == ["host_memory"]


def test_a_region_without_prices_has_a_plan_without_costs(capsys: pytest.CaptureFixture[str]) -> None:
    found = _data(capsys, *SEVENTY_B[:-1], "eu-north-1", "--framework", "dcp")
    assert found["chosen"]["usd_per_month"]["total"] is None
    assert found["chosen"]["capacity_gib"] == 14_400


BROKEN = {
    "framework": (("--framework", "fsdp"), "--framework: 'fsdp' is not a known framework", "nxd_xser, nxd, dcp, orbax"),
    "tensor parallelism": (("--framework", "nxd"), "--tensor-parallel: nxd writes files for each rank", "set tensor"),
    "tensors": (
        ("--framework", "nxd_xser", "--tensor-parallel", "32"),
        "--tensors-per-rank: nxd_xser writes a file for each tensor",
        "set tensors_per_rank",
    ),
    "division": (
        ("--framework", "nxd", "--tensor-parallel", "7"),
        "--tensor-parallel: 7 x 1 ranks of tensor and pipeline parallelism do not divide the 1,024 NeuronCores",
        "choose a product that divides 1,024",
    ),
    "precision": (
        ("--framework", "dcp", "--precision", "fp8"),
        "--precision: the catalog has no size of a checkpoint with optimizer adamw and precision fp8",
        "adamw with fp32",
    ),
    "instance type": (("--framework", "dcp", "--instance-type", "trn1.8xlarge"), "--instance-type", "trn1.2xlarge"),
    "no Neuron devices": (
        ("--framework", "dcp", "--instance-type", "m7i.xlarge"),
        "--instance-type: m7i.xlarge has no Neuron devices",
        "name the type that saves",
    ),
    "Region": (("--framework", "dcp", "--region", "us-east-9"), "--region: the catalog has no us-east-9", "us-east"),
}


@every_case("case", BROKEN)
def test_a_value_that_cannot_be_is_named(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    options, message, hint = BROKEN[case]
    assert main([*SEVENTY_B, *options]) == 1
    text = capsys.readouterr().err
    assert message in text
    assert hint in text


@pytest.mark.parametrize("text", ["0", "-1", "70Q", "1e99", "nan", "", "70 B"])
def test_a_number_of_parameters_that_is_none(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["storage", "size", f"--parameters={text}", *NODES, "--framework", "dcp"])
    assert end.value.code == 2
    assert "is not a number of parameters" in capsys.readouterr().err


def test_a_number_of_parameters_without_its_unit(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["recommend", "--parameters", "7"])
    assert end.value.code == 2
    assert "'7' is too few parameters: give the unit, such as 7B or 7M" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("--nodes", "9" * 400, "is too many: expected 1,000,000 at most"),
        ("--keep-latest", "1000001", "is too many: expected 1,000,000 at most"),
        ("--noncurrent-days", "9" * 30, "is too many: expected 1,000,000 at most"),
        ("--failures-percent-per-hour", "101", "is more than 100 percent"),
        ("--failures-percent-per-hour", "nan", "is not a number above 0"),
    ],
)
def test_a_number_beyond_that_of_the_file_is_a_usage_error(
    option: str, value: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([*SEVENTY_B, "--framework", "dcp", option, value])
    assert end.value.code == 2
    assert text in capsys.readouterr().err


def test_the_price_of_a_large_bucket_has_its_steps(capsys: pytest.CaptureFixture[str]) -> None:
    """607,320 GB are 565,611 of 2^30 bytes, at three prices: the shown numbers give the sum."""
    options = ("--framework", "dcp", "--mode", "async", "--interval-minutes", "60", "--noncurrent-days", "30")
    lines = _data(capsys, *SEVENTY_B, *options)["chosen"]["usd_per_month"]["lines"]
    stored = next(line for line in lines if line["what"] == "S3 Standard")
    assert stored["formula"].endswith("0.023 USD per GB and month, 0.022 above 51,200, 0.021 above 512,000")
    assert stored["usd"] == pytest.approx(51_200 * 0.023 + 460_800 * 0.022 + (607_320e9 / 2**30 - 512_000) * 0.021)


def test_the_default_rate_is_shown_between_the_published_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SEVENTY_B, "--framework", "dcp"]) == 0
    assert "published: 0.016%" in capsys.readouterr().out
    assert main([*SEVENTY_B, "--framework", "dcp", "--failures-percent-per-hour", "0.03"]) == 0
    assert "published:" not in capsys.readouterr().out


def test_more_than_all_node_hours_are_not_lost(capsys: pytest.CaptureFixture[str]) -> None:
    rate = ("--framework", "dcp", "--failures-percent-per-hour", "10")
    assert _data(capsys, *SEVENTY_B, *rate)["chosen"]["lost_share"]["total"] == 1
    assert main([*SEVENTY_B, *rate]) == 0
    assert "too fast for the formulas" in " ".join(capsys.readouterr().out.split())
