"""From one Neuron SDK release to another: parts, losses, hosts, edits."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from rule_fixture import PROJECT, Case
from tree_edit import DELETE

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.config.source_map import format_path
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.report.catalog_table import DOUBT_MARK
from neuron_cluster.report.upgrade_page import components_table, upgrade_page
from neuron_cluster.upgrade.file_edit import edited_text
from neuron_cluster.upgrade.upgrade import Upgrade, plan_upgrade
from tests.every_case import every_case

JAX = "public.ecr.aws/neuron/jax-training-neuronx:0.7-neuronx-py312-sdk2.29.1-ubuntu24.04"
XLA = "mirror.example.com/x/pytorch-training-neuronx:2.9.0-neuronx-py312-sdk2.29.0-ubuntu24.04"


def upgraded(folder: Path, base: str, edits: dict[str, Any], to: str) -> tuple[Upgrade, str]:
    """The upgrade of an edited shipped environment, and the file's text after it."""
    file = folder / "environment.yaml"
    file.write_text(Case(base, edits).text(), encoding="utf-8")
    config, catalog = load_environment(file).config, load_catalog()
    assert config is not None
    before, after = catalog.neuron_sdks.get(config.neuron.sdk), catalog.neuron_sdks.get(to)
    assert before is not None
    assert after is not None
    upgrade = plan_upgrade(resolve_environment(config, catalog), before, after, catalog, None)
    return upgrade, edited_text(file.read_text(encoding="utf-8"), upgrade.edits)


def reported(upgrade: Upgrade, path: str) -> list[str]:
    return [f"{each.what}: {each.then}" for each in upgrade.breaks if format_path(each.path) == path]


def test_parts_that_move_come_and_go(tmp_path: Path) -> None:
    upgrade, _ = upgraded(tmp_path, "train-trn1", {"neuron.sdk": "2.29.0"}, "2.32.0")
    kinds = {move.part: move.kind for move in upgrade.components}
    assert kinds["driver"] == "moves"
    assert kinds["nxd_core"] == "gone"
    assert kinds["vllm_neuron"] == "new"
    assert kinds["efa_installer"] == "stays"
    assert "torch_neuron_native" not in kinds


def test_the_cache_of_another_compiler_is_empty(tmp_path: Path) -> None:
    edits = {"neuron.sdk": "2.31.0", "storage.compile_cache": {}}
    assert upgraded(tmp_path, "train-trn1", edits, "2.32.0")[0].empty_cache == "neuronx-cc-2.27.5334.0"
    assert upgraded(tmp_path, "train-trn1", edits, "2.31.1")[0].empty_cache is None
    assert upgraded(tmp_path, "train-trn1", {"neuron.sdk": "2.31.0"}, "2.32.0")[0].empty_cache is None


def test_a_release_whose_parts_are_unknown_says_what_was_not_checked(tmp_path: Path) -> None:
    upgrade, _ = upgraded(tmp_path, "train-trn1", {}, "2.33.1")
    assert {move.kind for move in upgrade.components} == {"not known"}
    assert any("driver, runtime, compiler of 2.33.1" in text for text in reported(upgrade, "neuron.sdk"))


def test_a_container_moves_to_the_same_kind_of_image_and_keeps_its_registry(tmp_path: Path) -> None:
    mirrored = JAX.replace("public.ecr.aws", "mirror.example.com:5000")
    edits = {"neuron.sdk": "2.29.0", "neuron.containers": [JAX, mirrored]}
    _, text = upgraded(tmp_path, "train-trn1", edits, "2.32.0")
    tag = "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
    assert yaml.safe_load(text)["neuron"]["containers"] == [
        f"public.ecr.aws/neuron/{tag}",
        f"mirror.example.com:5000/neuron/{tag}",
    ]


def test_a_retired_image_stays_and_its_successor_is_named(tmp_path: Path) -> None:
    edits = {"neuron.sdk": "2.29.0", "neuron.containers": [XLA, "mine.example.com/a:b"]}
    upgrade, text = upgraded(tmp_path, "train-trn1", edits, "2.32.0")
    assert yaml.safe_load(text)["neuron"]["containers"] == [XLA, "mine.example.com/a:b"]
    assert "its successor is public.ecr.aws/neuron/jax" in reported(upgrade, "neuron.containers[0]")[0]
    assert "mine.example.com/a:b is not in the catalog" in reported(upgrade, "neuron.containers[1]")[0]


def test_frameworks_of_the_file_that_are_lost_are_named_one_by_one(tmp_path: Path) -> None:
    edits = {"neuron.sdk": "2.29.0", "neuron.frameworks": ["jax", "torch_neuronx_training"]}
    upgrade, _ = upgraded(tmp_path, "train-trn1", edits, "2.32.0")
    assert reported(upgrade, "neuron.frameworks[0]") == []
    assert "no longer runs on trainium" in reported(upgrade, "neuron.frameworks[1]")[0]
    assert "JAX" in reported(upgrade, "neuron.frameworks[1]")[0]
    assert "training" not in reported(upgrade, "neuron.frameworks")[0].partition(":")[0]


def test_frameworks_that_the_file_does_not_name_are_lost_on_their_own_chips_alone(tmp_path: Path) -> None:
    edits = {"eks.node_groups[2]": {"name": "later", "instance_type": "inf2.xlarge", "count": {"min": 0, "max": 1}}}
    upgrade, _ = upgraded(tmp_path, "serve-inf1", edits, "2.33.0")
    lost = [text.partition("no longer supported on ")[2] for text in reported(upgrade, "neuron.frameworks")]
    by_chips = {text.partition(":")[0]: text for text in lost}
    assert set(by_chips) == {"inferentia", "inferentia2"}
    titles = {name: load_catalog().frameworks.get(name).title for name in ("tensorflow_neuron", "vllm_nxd")}
    assert titles["tensorflow_neuron"] in by_chips["inferentia"]
    assert titles["vllm_nxd"] in by_chips["inferentia2"]
    assert titles["vllm_nxd"] not in by_chips["inferentia"]


def test_a_dropped_chip_is_named_with_the_family_to_move_to(tmp_path: Path) -> None:
    edits = {"neuron.sdk": "2.26.0", "eks.node_groups[1].instance_type": "inf1.6xlarge"}
    upgrade, _ = upgraded(tmp_path, "dev-inf2", edits, "2.27.0")
    (text,) = reported(upgrade, "eks.node_groups[1].instance_type")
    assert "no Neuron SDK release after 2.26" in text
    assert "move to inf2" in text


@pytest.mark.parametrize(
    ("containers", "release", "driver"),
    [([], "20260714", "2.29.0.0"), ([XLA], "20260625", "2.28.0.0")],
    ids=["nothing stays behind", "a frozen container stays, which newer drivers break"],
)
def test_a_pinned_image_moves_to_the_newest_that_all_runtimes_take(
    tmp_path: Path, containers: list[str], release: str, driver: str
) -> None:
    edits = {
        "neuron.sdk": "2.29.0",
        "neuron.containers": containers,
        "eks.node_groups[1].ami_release": "1.35.4-20260505",
    }
    upgrade, text = upgraded(tmp_path, "train-trn1", edits, "2.32.0")
    assert yaml.safe_load(text)["eks"]["node_groups"][1]["ami_release"].endswith(release)
    (host,) = upgrade.hosts
    assert "rolling update" in host.what
    assert host.rollout.driver_after == driver


def test_a_group_without_a_pin_is_said_to_stay(tmp_path: Path) -> None:
    upgrade, _ = upgraded(tmp_path, "train-trn1", {}, "2.33.0")
    (host,) = upgrade.hosts
    assert "its AMI is not pinned" in host.what
    assert [format_path(edit.path) for edit in upgrade.edits] == ["neuron.sdk"]


def test_a_retired_kind_of_image_becomes_its_successor_with_its_virtual_environment(tmp_path: Path) -> None:
    catalog = load_catalog()
    retired = next(
        row
        for row in catalog.dlamis
        if row.successor is not None and row.virtual_environments and "inf2" in row.families
    )
    successor = catalog.dlamis.get(retired.successor or "")
    assert successor is not None
    old = retired.default_virtual_environment
    edits = {
        "neuron.sdk": retired.neuron_sdk,
        "workstations[0].dlami": retired.name,
        "workstations[0].virtual_environment": old,
        "workstations[0].instance_type": "inf2.xlarge",
    }
    upgrade, text = upgraded(tmp_path, "workstation", edits, "2.32.0")
    machine = yaml.safe_load(text)["workstations"][0]
    assert machine["dlami"] == successor.name
    assert machine["virtual_environment"] in successor.virtual_environments
    assert "the instance is replaced; its home volume is kept" in upgrade.hosts[0].what
    upgrade, _ = upgraded(tmp_path, "workstation", {**edits, "workstations[0].home": DELETE}, "2.32.0")
    assert upgrade.hosts[0].what == "the instance is replaced with all its data: it has no home volume"


def test_a_retired_kind_whose_successor_lacks_the_family_gets_no_newer_image(tmp_path: Path) -> None:
    edits = {"neuron.sdk": "2.31.1", "workstations[0].dlami": "vllm_0_16_ubuntu_24_04"}
    upgrade, _ = upgraded(tmp_path, "workstation", edits, "2.32.0")
    (text,) = reported(upgrade, "workstations[0].dlami")
    assert "is retired" in text
    assert "vllm_0_24_ubuntu_24_04" in text
    assert "once a newer image is out" not in text


OF_EACH_KIND = ("finetune-trn1", "research-teams", "serve-trn2", "slurm-trn1", "train-trn3", "workstation")
"""Environments of training and serving on Kubernetes, of Slurm, and without a cluster."""
UPGRADES = [
    pytest.param(file.stem, row.name, id=f"{file.stem}-{row.name}")
    for file in sorted((PROJECT / "environments").glob("*.yaml"))
    for row in load_catalog().neuron_sdks
]


@every_case("name, to", [each for each in UPGRADES if each.values[0] in OF_EACH_KIND])
def test_an_environment_of_each_kind_can_be_taken_to_every_release(tmp_path: Path, name: str, to: str) -> None:
    assert_is_taken(tmp_path, name, to)


@pytest.mark.exhaustive
@every_case("name, to", UPGRADES)
def test_every_shipped_environment_can_be_taken_to_every_release(tmp_path: Path, name: str, to: str) -> None:
    assert_is_taken(tmp_path, name, to)


def assert_is_taken(tmp_path: Path, name: str, to: str) -> None:
    upgrade, text = upgraded(tmp_path, name, {}, to)
    assert yaml.safe_load(text)["neuron"]["sdk"] == to
    assert all(host.rollout.description for host in upgrade.hosts)


def test_a_step_back_is_a_downgrade_and_says_what_the_older_release_does_not_have(tmp_path: Path) -> None:
    down, _ = upgraded(tmp_path, "train-trn1", {}, "2.28.0")
    up, _ = upgraded(tmp_path, "train-trn1", {"neuron.sdk": "2.28.0"}, "2.32.0")
    assert (down.direction, up.direction) == ("downgrade", "upgrade")
    assert not [each.what for each in down.breaks if "no longer" in each.what]
    assert not [each.what for each in down.breaks if "ship" in each.what]
    unlisted = "the packages that the catalog has of 2.28.0 do not include vllm-neuron"
    assert any(unlisted in text for text in reported(down, "neuron.sdk"))
    assert upgrade_page(down, (), ()).lead.startswith("downgrade from Neuron SDK 2.32.0 to 2.28.0")
    assert upgraded(tmp_path, "train-trn1", {}, "2.32.0")[0].direction == "same"


def test_versions_that_the_catalog_doubts_are_marked(tmp_path: Path) -> None:
    table = components_table(upgraded(tmp_path, "train-trn1", {}, "2.33.0")[0])
    marked = {title for title, _, after in table.rows if after.endswith(DOUBT_MARK)}
    assert {"driver", "runtime", "compiler (neuronx-cc)"} <= marked
    assert "neuron-cluster catalog sdk 2.33.0" in table.note
    certain = components_table(upgraded(tmp_path, "train-trn1", {"neuron.sdk": "2.31.1"}, "2.32.0")[0])
    assert "driver" not in {title for title, _, after in certain.rows if after.endswith(DOUBT_MARK)}
