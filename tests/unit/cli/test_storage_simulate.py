"""``neuron-cluster storage simulate``."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from neuron_cluster.cli.main import main
from tests.json_outputs import FORMAT, assert_has_format

COMMAND = (
    *("storage", "simulate", "--parameters", "70B", "--framework", "dcp", "--instance-type", "trn1.32xlarge"),
    *("--nodes", "32", "--region", "us-east-2", "--runs", "3"),
)


def _data(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    given = [*COMMAND, *arguments, *FORMAT]
    assert main(given) == 0
    printed = capsys.readouterr().out
    assert_has_format(given, printed)
    found: dict[str, Any] = json.loads(printed)
    return found


def test_json_has_the_distribution_and_what_the_formulas_expect(capsys: pytest.CaptureFixture[str]) -> None:
    found = _data(capsys)
    lost, expected = found["lost_device_hours"], found["expected_lost_device_hours"]
    assert found["device_hours"] == 30 * 24 * 32 * 16
    assert lost["total"]["low"] <= lost["total"]["median"] <= lost["total"]["high"]
    parts = ("stalls", "repeated_steps", "restarts")
    assert lost["total"]["mean"] == pytest.approx(sum(lost[part]["mean"] for part in parts))
    assert expected["total"] == pytest.approx(sum(expected[part] for part in parts))


def test_the_formula_has_no_result_where_its_parts_are_more_than_all_time(capsys: pytest.CaptureFixture[str]) -> None:
    often = ("--failures-percent-per-hour", "50")
    assert _data(capsys, *often)["expected_lost_device_hours"] is None
    assert main([*COMMAND, *often]) == 0
    printed = capsys.readouterr().out
    shares = [float(each) for each in re.findall(r"([\d.]+)%", printed)]
    assert shares
    assert max(shares) <= 100
    assert "without a result here" in " ".join(printed.split())


@pytest.mark.parametrize("verb", ["simulate", "size"])
def test_a_type_that_does_not_train_saves_no_checkpoints(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["inf2.48xlarge" if word.startswith("trn1") else word for word in COMMAND[:-2]]
    assert main(["storage", verb, *arguments[2:]]) == 1
    assert "inf2.48xlarge has AWS Inferentia2, which is made for inference" in capsys.readouterr().err


def test_the_same_seed_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert _data(capsys, "--seed", "5") == _data(capsys, "--seed", "5")
    assert _data(capsys, "--seed", "5") != _data(capsys, "--seed", "6")


def test_text_fits_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*COMMAND, "--nodes", "1000"]) == 0
    text = capsys.readouterr().out
    assert "steps computed again" in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_checkpoints_that_no_file_system_takes_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--stall-seconds", "0.001"]) == 1
    assert "No FSx for Lustre file system" in capsys.readouterr().err


def test_a_closing_save_before_the_start_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--days", "1", "--closing-save-minutes", "1440"]) == 1
    assert "--closing-save-minutes: 1440 minutes before the end" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value"), [("--days", "0"), ("--days", "367"), ("--runs", "10001"), ("--runs", "x")]
)
def test_a_number_out_of_range_is_refused(option: str, value: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([*COMMAND, option, value])
    assert end.value.code == 2
    assert option in capsys.readouterr().err


def test_an_environment_is_simulated_on_its_own_file_system(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["storage", "simulate", "train-trn1", "--runs", "3"]) == 0
    text = capsys.readouterr().out
    assert "On 4,800 GiB PERSISTENT_2 at 250 MB/s per TiB" in text
    assert f"of {30 * 24 * 16 * 16:,}" in text


def test_an_environment_without_checkpoints_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["storage", "simulate", "serve-inf1"]) == 1
    assert "serve-inf1 has no checkpoints on a file system" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train-trn1", "--nodes", "4", "--keep-latest", "2"), "leave out --keep-latest, --nodes"),
        (("--nodes", "4", "--model", "llama-3.1-70b"), "--instance-type, --region, --framework is missing"),
        ((), "--parameters or --model, --instance-type, --nodes, --region, --framework is missing"),
    ],
)
def test_a_training_is_described_once(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["storage", "simulate", *arguments])
    assert end.value.code == 2
    assert message in " ".join(capsys.readouterr().err.split())
