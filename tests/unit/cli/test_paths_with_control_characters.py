"""Paths with characters that would rewrite the terminal, or that YAML does not have: written out, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from .conftest import Command

HOSTILE = "a\x1b[2J\u202eb\rc\x7f"
OPTIONS = ("--name", "first", "--account", "210987654321", "--region", "us-west-2")
LLAMA = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
    "max_position_embeddings": 8192, "torch_dtype": "bfloat16", "tie_word_embeddings": False,
}  # fmt: skip


def shown(text: str) -> bool:
    """Whether a terminal shows all of it as it is written."""
    return all(character.isprintable() or character == "\n" for character in text)


@pytest.mark.parametrize(
    "arguments",
    [
        ("synth", "slurm-trn1", "--format", "parallelcluster", "--output"),
        pytest.param(("report", "dev-inf2", "--output"), marks=pytest.mark.exhaustive),
        ("diagram", "dev-inf2", "--output"),
        pytest.param(("onboard", "research-teams", "--team", "vision", "--output"), marks=pytest.mark.exhaustive),
    ],
)
def test_the_path_of_the_output_is_written_out(arguments: tuple[str, ...], tmp_path: Path, command: Command) -> None:
    place = tmp_path / HOSTILE
    ran = command(*arguments, str(place))
    assert (ran.status, place.exists()) == (0, True), ran.err
    assert shown(ran.out + ran.err)


def test_a_project_in_such_a_folder_is_shown_everywhere(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / HOSTILE
    commands = [
        ("init", str(folder), "--template", "dev-inf2", *OPTIONS),
        ("new", "second", "--template", "dev-inf2", "--project", str(folder), *OPTIONS[2:]),
        ("validate", str(folder / "environments" / "first.yaml"), "--project", str(folder)),
        ("list", "--local", "--project", str(folder)),
    ]
    for each in commands:
        ran = command(*each)
        assert ran.status in (0, 1), ran.err
        assert shown(ran.out + ran.err), each


@pytest.mark.parametrize("name", [HOSTILE, "tab\tnul-free\x01", "line\nfeed", "\x85\ufffe", "bytes\udcff"])
def test_a_model_in_such_a_folder_is_sized_and_its_name_is_a_comment(
    name: str, tmp_path: Path, command: Command
) -> None:
    (tmp_path / name).mkdir()
    model = tmp_path / name / "config.json"
    model.write_text(json.dumps(LLAMA))
    ran = command("init", str(tmp_path / "clusters"), "--purpose", "serve", "--model", str(model), *OPTIONS)
    assert ran.status == 0, ran.err
    assert shown(ran.out + ran.err)
    written = (tmp_path / "clusters" / "environments" / "first.yaml").read_text()
    assert yaml.safe_load(written)["name"] == "first"
