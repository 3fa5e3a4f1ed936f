"""SVG and Mermaid: well-formed, alike at each run, and without markup of a user's text."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.diagram.build_picture import build_picture
from neuron_cluster.diagram.mermaid import mermaid_text
from neuron_cluster.diagram.svg import svg_element, svg_file
from neuron_cluster.plan.cluster_plan import ClusterPlan

from .conftest import PictureOf

GOLDEN = Path(__file__).parent / "train-trn1.svg"
ENVIRONMENTS = sorted(path.stem for path in (Path(__file__).parents[3] / "environments").glob("*.yaml"))
WITHOUT_MACHINES = {"sagemaker-finetune"}
SVG = "{http://www.w3.org/2000/svg}"
EVIL = '<script>alert("1")</script> & "]'


def _root(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - made by the toolkit


def test_the_picture_of_a_shipped_environment_equals_its_golden(picture_of: PictureOf) -> None:
    hint = (
        "if the change is meant: neuron-cluster diagram train-trn1 --output tests/unit/diagram/train-trn1.svg --force"
    )
    assert svg_file(picture_of("train-trn1")) == GOLDEN.read_text(), hint


@pytest.mark.parametrize("environment", [*ENVIRONMENTS, "storage-kinds"])
def test_svg_has_a_title_a_description_and_nothing_from_elsewhere(environment: str, picture_of: PictureOf) -> None:
    picture = picture_of(environment)
    for text in (svg_file(picture), svg_element(picture, 364, "narrow")):
        root = _root(text)
        ids = (root.get("aria-labelledby") or "").split()
        assert [root.find(f"{SVG}{name}").get("id") for name in ("title", "desc")] == ids  # type: ignore[union-attr]
        assert root.get("role") == "img"
        assert not {f"{SVG}{name}" for name in ("script", "image", "use", "foreignObject")} & {
            each.tag for each in root.iter()
        }
        assert "url(" not in text
        assert not re.search(r'(?:href|src|\bon\w+)="', text)
        assert svg_file(picture).isascii()


def test_texts_of_the_file_are_no_markup(thirty: ClusterPlan, catalog: Catalog) -> None:
    (cluster,) = thirty.providers
    groups = (structs.replace(thirty.node_groups[0], name=EVIL), *thirty.node_groups[1:])
    plan = structs.replace(thirty, name=EVIL, providers=(structs.replace(cluster, node_groups=groups),))
    picture = build_picture(plan, catalog)
    assert "<script" not in svg_file(picture)
    assert EVIL in (_root(svg_file(picture)).findtext(f"{SVG}title") or "")
    text = mermaid_text(picture)
    assert "<script" not in text.replace("accTitle", "").split("\n", 3)[3]
    assert "#60;script#62;" in text


def test_a_shortened_name_is_a_tooltip(thirty: ClusterPlan, catalog: Catalog) -> None:
    name = "g" * 90
    (cluster,) = thirty.providers
    groups = (structs.replace(thirty.node_groups[0], name=name), *thirty.node_groups[1:])
    plan = structs.replace(thirty, providers=(structs.replace(cluster, node_groups=groups),))
    root = _root(svg_element(build_picture(plan, catalog), 364, "narrow"))
    shortened = [each for each in root.iter(f"{SVG}text") if each.findtext(f"{SVG}title") == name]
    assert len(shortened) == 2  # two lines of the card


@pytest.mark.parametrize("environment", [*ENVIRONMENTS, "storage-kinds"])
def test_mermaid_declares_each_node_once_and_ends_each_subgraph(environment: str, picture_of: PictureOf) -> None:
    lines = mermaid_text(picture_of(environment)).splitlines()
    assert lines[0] == "flowchart TB"
    assert sum(line.strip() == "end" for line in lines) == sum("subgraph" in line for line in lines)
    declared = [found[1] for line in lines if (found := re.match(r"\s+(?:subgraph )?(\w+)[\[(]", line))]
    assert len(set(declared)) == len(declared)
    edges = [found.groups() for line in lines if (found := re.match(r'\s+(\w+) <?-->\|"[^"|]*"\| (\w+)$', line))]
    assert edges or environment in WITHOUT_MACHINES
    assert {each for pair in edges for each in pair} <= set(declared)
