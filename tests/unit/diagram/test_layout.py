"""Boxes do not overlap, and texts stay in their boxes, at every width."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.diagram.boxes import Box
from neuron_cluster.diagram.build_picture import build_picture
from neuron_cluster.diagram.layout import picture_box
from neuron_cluster.diagram.text_block import BODY, KIND, NAME, TITLE
from neuron_cluster.diagram.text_width import fitted, text_width, wrapped
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.environment_page import WIDTHS

from .conftest import PictureOf

ENVIRONMENTS = sorted(path.stem for path in (Path(__file__).parents[3] / "environments").glob("*.yaml"))
FACES = {face.style: face for face in (BODY, KIND, NAME, TITLE)}
SLACK = 0.01


def _boxes(box: Box) -> Iterator[Box]:
    yield box
    for placed in box.inside:
        yield from _boxes(placed.box)


def _violations(box: Box) -> Iterator[str]:
    """Yields the violations of only this box."""
    for placed in box.inside:
        right, bottom = placed.x + placed.box.width, placed.y + placed.box.height
        if placed.x < 0 or placed.y < 0 or right > box.width + SLACK or bottom > box.height + SLACK:
            yield f"{placed.box.style} leaves {box.style}"
    for one, other in itertools.combinations(box.inside, 2):
        beside = one.x + one.box.width <= other.x + SLACK or other.x + other.box.width <= one.x + SLACK
        above = one.y + one.box.height <= other.y + SLACK or other.y + other.box.height <= one.y + SLACK
        if not (beside or above):
            yield f"{one.box.style} and {other.box.style} overlap"
    for line in box.lines:
        faces = [(span.text, FACES[span.style]) for span in line.spans]
        width = sum(text_width(text, face.size, bold=face.bold) for text, face in faces)
        left = line.x - width / 2 if line.is_centred else line.x
        if left < 0 or left + width > box.width + SLACK or line.y > box.height:
            yield f"{''.join(text for text, _ in faces)} leaves {box.style}"
    if len({line.y for line in box.lines}) < len(box.lines):
        yield f"two lines of {box.style} have one baseline"


@pytest.mark.parametrize("width", [*WIDTHS.values(), 320, 1600])
@pytest.mark.parametrize("environment", [*ENVIRONMENTS, "storage-kinds", "slurm-storage"])
def test_nothing_overlaps(environment: str, width: int, picture_of: PictureOf) -> None:
    whole = picture_box(picture_of(environment), width, has_title=True)
    assert whole.width == width
    assert [found for box in _boxes(whole) for found in _violations(box)] == []


@pytest.mark.parametrize("width", WIDTHS.values())
def test_nothing_of_thirty_groups_overlaps(width: int, thirty: ClusterPlan, catalog: Catalog) -> None:
    whole = picture_box(build_picture(thirty, catalog), width, has_title=False)
    assert [found for box in _boxes(whole) for found in _violations(box)] == []


@pytest.mark.parametrize("width", WIDTHS.values())
def test_nothing_of_two_clusters_overlaps(width: int, two_clusters: ClusterPlan, catalog: Catalog) -> None:
    whole = picture_box(build_picture(two_clusters, catalog), width, has_title=False)
    assert [found for box in _boxes(whole) for found in _violations(box)] == []


def test_a_shortened_text_keeps_the_whole_one() -> None:
    assert fitted("mixed-group-with-a-long-name", 80, 13).endswith("…")
    assert text_width(fitted("mixed-group-with-a-long-name", 80, 13), 13) <= 80
    assert wrapped("one two three", 1000, 13, most=1) == ["one two three"]
    lines = wrapped("arn:aws:iam::111122223333:role/a-role-with-a-long-name and more", 120, 13, most=2)
    assert len(lines) == 2
    assert lines[-1].endswith("…")
    assert all(text_width(line, 13) <= 120 for line in lines)


def test_zones_are_side_by_side_where_they_fit_and_below_each_other_where_not(picture_of: PictureOf) -> None:
    def zones(width: int) -> set[float]:
        boxes = _boxes(picture_box(picture_of("dev-trn2"), width, has_title=False))
        vpc = next(box for box in boxes if box.style == "area vpc")
        return {placed.y for placed in vpc.inside if placed.box.style == "area zone"}

    assert len(zones(WIDTHS["wide"])) == 1
    assert len(zones(WIDTHS["narrow"])) == 3
