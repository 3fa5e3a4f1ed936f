"""docs/storage.md and docs/mountpoint.md name objects of the claims as the plan makes them."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.kubernetes_plan import KubernetesPlan

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "storage.md").read_text()
DATASETS = (PROJECT / "docs" / "mountpoint.md").read_text().split("## Datasets in the bucket")[1].split("\n## ")[0]
MOUNTING = PAGE.split("## Mount it in pods")[1].split("\n## ")[0]


def eks_of(file: Path) -> KubernetesPlan:
    eks = check_environment(file).require_plan().kubernetes
    assert eks is not None
    return eks


def objects(eks: KubernetesPlan) -> set[tuple[str, str, str]]:
    made = [each for manifest in eks.manifests for each in manifest.objects]
    return {(each["kind"], each["metadata"].get("namespace", ""), each["metadata"]["name"]) for each in made}


def test_the_namespaces_of_the_page_get_what_it_says(tmp_path: Path) -> None:
    found = re.search(r"\n\n((?: {4}.*\n|\n)+)", MOUNTING)
    assert found
    tree = yaml.safe_load((PROJECT / "environments" / "train-trn1.yaml").read_text())
    tree["eks"] |= yaml.safe_load(textwrap.dedent(found[1]))["eks"]
    file = tmp_path / "train-trn1.yaml"
    file.write_text(yaml.safe_dump(tree))
    made = objects(eks_of(file))
    for namespace in ("default", "research", "neuron-cluster-storage"):
        assert ("PersistentVolume", "", f"lustre-{namespace}") in made
        assert ("PersistentVolumeClaim", namespace, "lustre") in made
    assert ("PersistentVolumeClaim", "web", "lustre") not in made
    assert ("ServiceAccount", "research", "trainer") in made
    assert [name for kind, namespace, name in made if kind == "Job" and namespace == "neuron-cluster-storage"]
    assert "`claims: []`" in MOUNTING


def test_the_disks_of_the_page_are_those_of_the_catalog() -> None:
    section = PAGE.split("## NVMe disks of the nodes")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ((?:[a-z0-9]+\.[a-z0-9]+(?:, )?)+) \| ([\d,]+) GB \|$", section, re.MULTILINE)
    on_page = {name: int(size.replace(",", "")) for names, size in rows for name in names.split(", ")}
    with_disks = (row for row in load_catalog().instance_types if row.neuron_devices and row.local_disk_count)
    assert on_page == {row.name: row.local_storage_gb for row in with_disks}
    without = {row.family for row in load_catalog().instance_types if row.neuron_devices and row.local_disk_count == 0}
    assert without == {"inf1", "inf2"}


def test_the_datasets_of_the_page_are_objects_of_the_plan(tmp_path: Path) -> None:
    example = yaml.safe_load(textwrap.dedent(DATASETS.partition("\n")[2].split("\n\n")[0]))["eks"]
    tree = yaml.safe_load((PROJECT / "environments" / "train-trn1.yaml").read_text())
    tree["eks"]["addons"] |= example["addons"]
    tree["eks"]["namespaces"] = example["namespaces"]
    file = tmp_path / "train-trn1.yaml"
    file.write_text(yaml.safe_dump(tree))
    made = objects(eks_of(file))
    assert {("PersistentVolume", "", "datasets-default"), ("PersistentVolumeClaim", "default", "datasets")} <= made
