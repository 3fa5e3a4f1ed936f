"""JSON output of `upgrade` and `upgrade-toolkit`, with every property of their schemas."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.json_outputs import FORMAT, accepted_mutations, unseen
from tests.other_release import Edit, install_other_release

from .conftest import PROJECT, Command

OTHER: tuple[Edit, ...] = (
    ("neuron_cluster/providers/eks/plan/eks_plan.py", '"AmazonEKSClusterAdminPolicy"', '"AmazonEKSViewPolicy"'),
    ("neuron_cluster/catalog/data/charts/jobset.yaml", "  version: 0.12.0", "  version: 0.12.1"),
    ("neuron_cluster/config/machine.py", "default=125,", "default=130,"),
    ("neuron_cluster/schedulers/kubernetes/software/priority_classes.py", '"high": (1000,', '"high": (2000,'),
    ("neuron_cluster/starter/files/.gitignore", ".venv/", "another/\n.venv/"),
)
"""Differences of the other release: access, charts, nodes, priorities of Kueue and files."""


def test_every_property_of_an_upgrade_is_printed(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "train-trn1.yaml"
    shipped = (PROJECT / "environments" / "train-trn1.yaml").read_text()
    file.write_text(shipped.replace("sdk: 2.32.0", "sdk: 2.31.1"))
    found = command("upgrade", str(file), "--to", "2.33.0", *FORMAT).document
    of_slurm = command("upgrade", "slurm-trn1", "--to", "2.33.0", *FORMAT).document
    assert unseen("upgrade", [found, of_slurm]) == []
    assert accepted_mutations("upgrade", found) == []
    assert accepted_mutations("upgrade", of_slurm) == []
    assert [row["path"] for row in of_slurm["steps"]] == ["slurm.ami_id", "slurm.version"]
    assert [row["path"] for row in found["hosts"]] == ["eks.node_groups[1]"]


@pytest.mark.exhaustive  # installs another release: tests/integ/test_upgrade_toolkit.py does in each run
def test_every_property_of_an_upgrade_of_the_toolkit_is_printed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    wheel = install_other_release(tmp_path / "cache", "9.2", OTHER, tmp_path / "sources")
    repository = tmp_path / "clusters"
    names = ("--name", "first", "--account", "210987654321", "--region", "us-west-2")
    assert command("init", str(repository), "--template", "research-teams", *names).status == 0
    found = command("upgrade-toolkit", "--wheel", str(wheel), "--project", str(repository), *FORMAT).document
    assert unseen("upgrade-toolkit", [found]) == []
    assert accepted_mutations("upgrade-toolkit", found) == []
    assert (found["before"], found["after"], found["files_not_compared"]) == (
        version("neuron-cluster-toolkit"),
        "9.2",
        None,
    )
