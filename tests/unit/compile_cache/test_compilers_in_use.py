"""Which versions of neuronx-cc the files of a project use."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.compile_cache.compilers_in_use import compilers_in_use
from neuron_cluster.errors import ToolkitError
from neuron_cluster.project import EnvironmentFile, Project

COMPILER_OF_2_25 = "2.20.9961.0"
ENVIRONMENTS = Path(__file__).parents[3] / "environments"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """With one environment."""
    (tmp_path / "environments").mkdir()
    shutil.copy(ENVIRONMENTS / "train-trn1.yaml", tmp_path / "environments")
    return Project(tmp_path)


def test_an_environment_uses_compilers_of_its_sdk_and_of_images_for_its_instances(project: Project) -> None:
    """vLLM has older images than the environment's SDK for its chip, or none."""
    shutil.copy(ENVIRONMENTS / "serve-inf1.yaml", project.environments)
    found = compilers_in_use(project, load_catalog())
    assert found.environments["2.27.5334.0"] == ("train-trn1",)
    assert "serve-inf1" in {name for names in found.environments.values() for name in names}
    assert found.not_known == {}


def test_containers_of_the_file_count(project: Project) -> None:
    file = project.environments / "train-trn1.yaml"
    name = "jax-training-neuronx:0.6-neuronx-py310-sdk2.25.0-ubuntu22.04"
    before = compilers_in_use(project, load_catalog()).environments
    file.write_text(file.read_text().replace("sdk: 2.32.0", f"sdk: 2.32.0\n  containers: [{name}]"))
    after = compilers_in_use(project, load_catalog()).environments
    assert "train-trn1" not in before.get(COMPILER_OF_2_25, ())
    assert after[COMPILER_OF_2_25] == ("train-trn1",)


def test_a_release_without_a_known_compiler_is_named(project: Project) -> None:
    file = project.environments / "train-trn1.yaml"
    file.write_text(file.read_text().replace("sdk: 2.32.0", "sdk: 2.33.1"))
    assert compilers_in_use(project, load_catalog()).not_known == {"2.33.1": ("train-trn1",)}


def test_a_file_that_cannot_be_read_is_an_error_that_names_it(project: Project) -> None:
    (project.environments / "broken.yaml").write_text("name: [")
    with pytest.raises(ToolkitError, match=r"broken\.yaml cannot be read"):
        compilers_in_use(project, load_catalog())


def test_a_damaged_lock_is_an_error(project: Project) -> None:
    (project.environments / "locks").mkdir()
    (project.environments / "locks" / "train-trn1.yaml").write_text("images: {}\n")
    with pytest.raises(ToolkitError):
        compilers_in_use(project, load_catalog())


def test_a_file_outside_of_the_project_counts_for_its_own_cache(project: Project, tmp_path: Path) -> None:
    """Otherwise `cache clean PATH --delete` deletes the graphs that its nodes read."""
    outside = tmp_path / "elsewhere.yaml"
    shipped = project.environments / "train-trn1.yaml"
    outside.write_text(shipped.read_text().replace("sdk: 2.32.0", "sdk: 2.29.0"))
    compiler = "2.24.5133.0"
    opened = EnvironmentFile(outside, str(outside))
    before = compilers_in_use(project, load_catalog()).environments
    after = compilers_in_use(project, load_catalog(), opened).environments
    assert "elsewhere" not in before.get(compiler, ())
    assert "elsewhere" in after[compiler]
    own = EnvironmentFile(shipped, str(shipped))
    assert compilers_in_use(project, load_catalog(), own).environments == before
