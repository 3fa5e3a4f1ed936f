"""``neuron-cluster recommend``."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import pytest

from tests.every_case import every_case
from tests.every_run import in_every_run

from .conftest import PROJECT, Command

MODELS = PROJECT / "tests" / "fixtures" / "models"
DENSE = str(MODELS / "llama-3.1-8b.json")
SERVE = ("recommend", "--model", DENSE, "--sequence-length", "4096", "--batch", "32")


def test_the_first_row_is_the_cheapest_and_its_memory_is_explained(command: Command) -> None:
    ran = command(*SERVE)
    assert ran.status == 0
    lines = ran.out.splitlines()
    first = next(line for line in lines if line.startswith(" 1 x "))
    assert first.split()[2:4] == ["inf2.24xlarge", "TP4"]
    assert "8.03 billion parameters in bf16 / TP4" in ran.out
    assert "32 x 4,096 tokens x 32 layers x 512 numbers x 2 bytes" in " ".join(ran.out.split())
    assert "nothing was measured on hardware" in ran.out.replace("\n", " ")
    assert "not known" in ran.out


@pytest.mark.parametrize(
    ("task", "columns"),
    in_every_run(
        itertools.product(["serve", "train", "finetune", "embed"], [80, 200]),
        [("serve", 80), ("train", 80), ("finetune", 200)],
    ),
)
def test_every_line_fits_the_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch, task: str, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = command("recommend", "--model", str(MODELS / "qwen3-235b-a22b.json"), "--task", task)
    assert ran.status == 0
    assert max(map(len, ran.out.splitlines())) <= columns
    assert "trn2.48xlarge" in ran.out


def test_the_next_step_is_an_entry_of_an_environment_file(command: Command, tmp_path: Path) -> None:
    out = command(*SERVE).out
    entry = out[out.index("    - name: serve") : out.index("`neuron-cluster explain")]
    text = (PROJECT / "environments" / "dev-inf2.yaml").read_text()
    file = tmp_path / "environments" / "mine.yaml"
    file.parent.mkdir()
    file.write_text(f"{text.rstrip()}\n{entry}".replace("dev-inf2", "mine"))
    planned = command("plan", str(file), "--format", "json").document
    assert "inf2.24xlarge" in str(planned)


def test_the_data_have_every_division_that_fits(command: Command) -> None:
    found = command(*SERVE, "--format", "json").document
    assert found["model"]["parameters"] == 8_030_261_248
    divisions = {(each["instance_type"], each["tensor_parallel"]) for each in found["fits"]}
    assert {("inf2.48xlarge", 8), ("trn1.32xlarge", 32), ("trn2.3xlarge", 4)} <= divisions
    assert ("inf2.8xlarge", 2) not in divisions
    first = found["recommended"][0]
    terms = first["memory"]["terms"]
    assert first["percent"] == round(100 * sum(term["bytes"] for term in terms) / first["memory"]["core_bytes"], 1)
    assert found["near_misses"][0]["reasons"]


def test_a_division_that_is_set_is_the_only_one(command: Command) -> None:
    division = ("--tensor-parallel", "8", "--data-parallel", "3", "--instance-type", "inf2.48xlarge")
    (only,) = command(*SERVE, *division, "--format", "json").document["fits"]
    assert (only["tensor_parallel"], only["data_parallel"], only["percent"]) == (8, 3, 24.2)


def test_nothing_fits_is_an_error_with_near_misses(command: Command) -> None:
    ran = command("recommend", "--parameters", "70B", "--instance-type", "inf2.xlarge")
    assert ran.status == 1
    assert "Nothing fits" in ran.out
    assert "Near misses" in ran.out
    assert "Next" not in ran.out


OTHER_REASONS = {
    "price": ("--max-hourly", "0.01"),
    "Region": ("--region", "af-south-1"),
    "host": ("--instance-type", "inf2.xlarge"),
    "stages": ("--pipeline-parallel", "2"),
    "experts": ("--expert-parallel", "8"),
    "format": ("--instance-type", "inf2.8xlarge", "--dtype", "mxfp4"),
}


@pytest.mark.parametrize("options", OTHER_REASONS.values(), ids=OTHER_REASONS.keys())
def test_what_has_the_memory_but_not_all_else_is_not_told_to_shrink(command: Command, options: tuple[str, ...]) -> None:
    ran = command("recommend", "--parameters", "8B", *options)
    assert ran.status == 1
    out = ran.out.replace("\n", " ")
    assert "device memory is not the reason" in out
    assert "Lower --sequence-length" not in out


def test_unknown_prices_alone_have_no_others_to_follow(command: Command) -> None:
    ran = command("recommend", "--parameters", "8B", "--instance-type", "trn2u.48xlarge")
    assert "Not known for trn2u.48xlarge." in ran.out.replace("\n", " ")


@pytest.mark.parametrize(
    ("count", "text"), [("0.5B", "serve 500M: 500 million parameters"), ("200000", "serve 200000: 200,000 parameters")]
)
def test_a_small_model_has_a_readable_size(command: Command, count: str, text: str) -> None:
    ran = command("recommend", "--parameters", count)
    assert text in ran.out
    assert "e-0" not in ran.out


@pytest.mark.parametrize(
    "sizes", [("--pipeline-parallel", "1000000"), ("--data-parallel", "7"), ("--logical-nc-config", "9")]
)
def test_sizes_that_no_instance_has_are_named(command: Command, sizes: tuple[str, str]) -> None:
    ran = command("recommend", "--parameters", "8B", "--task", "train", "--nodes", "2", *sizes)
    assert ran.status == 1
    assert "Leave one of them out" in ran.out.replace("\n", " ")


def test_a_model_of_the_catalog_and_a_count_need_no_file(command: Command) -> None:
    by_name = command("recommend", "--model", "llama-3.1-70b", "--format", "json").document
    by_count = command("recommend", "--parameters", "70B", "--format", "json").document
    assert by_name["model"]["parameters"] == 70_553_706_496
    assert "of llama-3-70b." in by_count["notes"][0]
    assert by_name["recommended"][0]["instance_type"] == by_count["recommended"][0]["instance_type"]


def test_the_length_of_a_short_model_is_the_default(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    config = json.loads(Path(DENSE).read_text()) | {"max_position_embeddings": 1024}
    file.write_text(json.dumps(config))
    assert command("recommend", "--model", str(file), "--format", "json").document["sequence_length"] == 1024
    out = command("recommend", "--model", str(file), "--sequence-length", "2048").out
    assert "sequences of 1,024 tokens at most" in out.replace("\n", " ")


WRONG = {
    "unknown family": (("--model", "mamba.json"), 'the model_type "mamba" is not a known family', "--parameters 70B"),
    "other program": (("--model", "tsconfig.json"), "has no model_type", "--parameters"),
    "folder": (("--model", "."), "is a folder", "config.json"),
    "missing file": (("--model", "none.json"), "cannot be read: No such file", "--parameters"),
    "device": (("--model", "/dev/zero"), "cannot be read: larger than", "--parameters"),
    "instance type": (("--parameters", "8B", "--instance-type", "trn1.33xlarge"), "has no trn1.33xlarge", "trn1.32xl"),
    "no devices": (("--parameters", "8B", "--instance-type", "m7i.large"), "no Neuron cores of m7i.large", "Trainium"),
    "old devices": (("--parameters", "8B", "--instance-type", "inf1.xlarge"), "was the last to support", "inf2"),
    "dtype": (
        ("--parameters", "8B", "--dtype", "int3"),
        "--dtype: the catalog has no such format: int3",
        "bf16, fp16, fp32, fp8",
    ),
    "cache": (
        ("--parameters", "8B", "--kv-dtype", "x\x1b[2J"),
        "no such format: x\\x1b[2J",
        "bf16, fp16, fp32 and fp8",
    ),
    "Region": (("--parameters", "8B", "--region", "us-west-9"), "has no us-west-9", "us-west-2"),
}


@every_case("arguments, message, hint", WRONG.values(), ids=lambda case: case[1])
def test_wrong_input_is_an_error_with_a_way_out(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    message: str,
    hint: str,
) -> None:
    (tmp_path / "mamba.json").write_text('{"model_type": "mamba", "hidden_size": 4096}')
    (tmp_path / "tsconfig.json").write_text('{"compilerOptions": {"strict": true}}')
    here = os.path.relpath(tmp_path, PROJECT)
    ran = command(
        "recommend", *(f"{here}/{word}" if word.endswith(".json") or word == "." else word for word in arguments)
    )
    assert (ran.status, ran.out) == (1, "")
    assert message in ran.err
    assert hint in ran.err


NO_NUMBERS = {
    f"{option} {value}": (option, value)
    for option in ("--parameters", "--sequence-length", "--batch", "--max-hourly", "--top", "--nodes")
    for value in ("nan", "inf", "-1", "0", "9" * 400, "1e400", "ten", "")
}


@every_case("option, value", NO_NUMBERS.values(), ids=str)
def test_a_number_that_is_none_is_a_wrong_command_line(command: Command, option: str, value: str) -> None:
    model = () if option == "--parameters" else ("--parameters", "8B")
    ran = command("recommend", *model, f"{option}={value}")
    assert ran.status == 2
    assert option in ran.err


@pytest.mark.parametrize("task", ["serve", "train", "embed"])
def test_a_rank_is_for_adapters_alone(command: Command, task: str) -> None:
    ran = command("recommend", "--parameters", "8B", "--task", task, "--lora-rank", "8")
    assert ran.status == 2
    assert "--lora-rank requires --task finetune" in ran.err


def test_the_model_is_given_once(command: Command) -> None:
    assert command("recommend").status == 2
    assert command("recommend", "--parameters", "8B", "--model", DENSE).status == 2
