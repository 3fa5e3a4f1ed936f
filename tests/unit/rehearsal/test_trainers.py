"""Which training program a rehearsal runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from neuron_cluster.errors import ToolkitError
from neuron_cluster.rehearsal.trainers import Trainer, chosen_trainer, jax_folder, trainer_of, values_of
from tests.every_case import every_case


def _install(monkeypatch: pytest.MonkeyPatch, folder: Path, prefix: Path) -> None:
    """An interpreter with this prefix, which finds packages in this folder alone."""
    monkeypatch.setattr(sys, "path", [str(folder)])
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "base_prefix", str(prefix))
    monkeypatch.delitem(sys.modules, "jax", raising=False)


@pytest.fixture
def with_jax(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").touch()
    _install(monkeypatch, tmp_path, tmp_path)
    return tmp_path


def test_the_jax_job_is_the_default_where_jax_is_installed(with_jax: Path) -> None:
    assert chosen_trainer(None) is Trainer.JAX
    assert chosen_trainer("plain") is Trainer.PLAIN
    trainer = values_of(Trainer.JAX, {"--steps": 30})["trainer"]
    assert trainer == {
        "program": ["/rehearsal/train_jax.py"],
        "args": ["--steps", "30", "--libraries", str(with_jax)],
    }


def test_without_jax_the_default_computes_nothing_and_jax_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(monkeypatch, tmp_path, tmp_path)
    assert chosen_trainer(None) is Trainer.PLAIN
    assert values_of(Trainer.PLAIN, {"--steps": 30})["trainer"]["args"] == ["--steps", "30"]
    with pytest.raises(ToolkitError, match="JAX is not installed") as refused:
        chosen_trainer("jax")
    assert "make rehearse" in str(refused.value.hint)


def test_a_jax_that_containers_do_not_see_does_not_count(with_jax: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(monkeypatch, with_jax, with_jax / "elsewhere")
    assert jax_folder() is None


@every_case(
    "program, trainer",
    [
        (["/rehearsal/train_jax.py"], Trainer.JAX),
        (["/rehearsal/train.py"], Trainer.PLAIN),
        (["/data/train.py"], None),
        (None, None),
    ],
    ids=lambda case: str(case[0]),
)
def test_the_output_names_the_program_that_ran(program: object, trainer: Trainer | None) -> None:
    assert trainer_of(program) is trainer
