"""``neuron-cluster synth --format parallelcluster``: files, warnings, and that nothing is written with an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from neuron_cluster.cli.synth import EXPORTS
from neuron_cluster.protocol.registry import registered

Command = Callable[..., Any]
FORMAT = ("--format", "parallelcluster")
FILES = ["cluster.yaml", "fill_in.sh", "image.yaml"]


def test_the_formats_are_those_of_the_providers() -> None:
    assert sorted(name for each in registered() for name in each.export_formats) == sorted(EXPORTS)


def test_it_writes_the_files_and_warns(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "pcluster"
    ran = command("synth", "slurm-trn1", *FORMAT, "--output", str(folder))
    assert ran.status == 0
    assert sorted(file.name for file in folder.iterdir()) == FILES
    assert "W9404" in ran.err
    assert ran.out == f"{folder}: cluster.yaml, image.yaml, fill_in.sh\n"


def test_no_file_is_overwritten(command: Command, tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text("edited by hand\n", encoding="utf-8")
    ran = command("synth", "slurm-trn1", *FORMAT, "--output", str(tmp_path))
    assert ran.status == 1
    assert "is not empty: cluster.yaml" in ran.err
    assert (tmp_path / "cluster.yaml").read_text(encoding="utf-8") == "edited by hand\n"


def test_an_environment_without_slurm_writes_nothing(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "pcluster"
    ran = command("synth", "train-trn1", *FORMAT, "--output", str(folder))
    assert ran.status == 1
    assert "E9401" in ran.out + ran.err
    assert not folder.exists()


def test_files_are_beside_the_assembly_by_default(command: Command, tmp_path: Path) -> None:
    environments = tmp_path / "environments"
    environments.mkdir()
    (tmp_path / "cdk.json").write_text('{"app": "neuron-cluster-app"}', encoding="utf-8")
    text = Path("environments/slurm-trn1.yaml").read_text(encoding="utf-8")
    (environments / "slurm-trn1.yaml").write_text(text, encoding="utf-8")
    ran = command("synth", "slurm-trn1", *FORMAT, "--project", str(tmp_path))
    assert ran.status == 0
    assert sorted(file.name for file in (tmp_path / "cdk.out" / "slurm-trn1.parallelcluster").iterdir()) == FILES
