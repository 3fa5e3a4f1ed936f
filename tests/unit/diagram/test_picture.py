"""What a picture shows of a plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.diagram.build_picture import build_picture
from neuron_cluster.diagram.flows import INTERNET
from neuron_cluster.diagram.model import Area, Card, Kind, Picture
from neuron_cluster.plan.cluster_plan import ClusterPlan
from tests.five_teams import NAMES, with_teams

from .conftest import PictureOf

ENVIRONMENTS = sorted(path.stem for path in (Path(__file__).parents[3] / "environments").glob("*.yaml"))
WITHOUT_INTERNET = {
    "network.nat": "none",
    "eks.addons": {"neuron_device_plugin": False, "neuron_node_problem_detector": False, "efa_device_plugin": False},
}


def _area(picture: Picture, name: str) -> Area:
    """By its id, wherever it is."""

    def within(areas: tuple[Card | Area, ...]) -> list[Area]:
        return [found for area in areas if isinstance(area, Area) for found in (area, *within(area.items))]

    return next(area for area in within(picture.areas) if area.id == name)


def _card(picture: Picture, name: str) -> Card:
    return next(card for card in picture.cards if card.id == name)


def test_groups_are_in_their_zones_with_devices_and_network_cards(picture_of: PictureOf) -> None:
    picture = picture_of("train-trn1")
    assert [card.id for card in _area(picture, "zone-usw2-az4").cards] == ["nat-usw2-az4", "group-trn1", "lustre"]
    assert [card.id for card in _area(picture, "zone-usw2-az1").cards] == []
    assert [card.id for card in _area(picture, "several-zones-1").cards] == ["group-system"]
    group = _card(picture, "group-trn1")
    assert "16 instances at first, 0 to 16" in group.lines
    assert [(each.total, each.filled) for each in group.pips] == [(16, 16), (8, 8)]
    system = _card(picture, "group-system")
    assert [(each.total, each.filled) for each in system.pips] == [(1, 0)]


def test_flows_name_what_is_mounted_synchronized_and_how_nodes_reach_the_internet(picture_of: PictureOf) -> None:
    flows = [(flow.source.title, flow.target.title, flow.text) for flow in picture_of("train-trn1").flows]
    assert flows == [
        ("system, trn1", "FSx for Lustre", "files, mounted"),
        ("FSx for Lustre", "Checkpoint bucket", "/checkpoints and checkpoints/"),
        ("private subnets", "internet", "outbound, by 1 NAT gateway"),
    ]
    without = picture_of("train-trn1", WITHOUT_INTERNET)
    assert not any(INTERNET in flow.target.ids for flow in without.flows)
    assert "ecr.api" in _card(without, "endpoints").lines[0]


def test_teams_have_their_quota_and_send_jobs_to_the_groups_of_their_queue(picture_of: PictureOf) -> None:
    picture = picture_of("train-trn1", with_teams())
    assert [card.title for card in _area(picture, "teams").cards] == list(NAMES)
    assert "32 Neuron devices of trn1" in _card(picture, "team-research").lines
    jobs = picture.flows[0]
    assert (jobs.source.title, jobs.target.ids, jobs.text) == ("5 teams", ("group-trn1",), "jobs, by queue training")


def test_every_kind_of_storage_has_a_card(picture_of: PictureOf) -> None:
    picture = picture_of("storage-kinds")
    titles = [card.title for card in picture.cards if card.kind in (Kind.DATA, Kind.COPY)]
    assert titles == [
        "FSx for Lustre", "Checkpoint bucket", "Compile cache", "Express bucket", "EFS", "S3 Files", "Home alice",
        "Backup vault", "checkpoints-replica",
    ]  # fmt: skip
    assert picture.areas[-1].title == "us-east-2"


def test_more_than_twelve_groups_share_a_card_where_they_differ_in_their_names_alone(
    thirty: ClusterPlan, catalog: Catalog
) -> None:
    groups = [card for card in build_picture(thirty, catalog).cards if card.kind is Kind.GROUP]
    assert sum(len(card.members) for card in groups) == len(thirty.node_groups) == 30
    folded = next(card for card in groups if "trn1-pool-07" in card.members)
    assert folded.title == "14 alike: trn1-pool-02 to trn1-pool-15"
    assert len({card.id for card in groups}) == len(groups) == 17


@pytest.mark.parametrize("environment", [*ENVIRONMENTS, "storage-kinds"])
def test_each_end_of_a_flow_is_in_the_picture(environment: str, picture_of: PictureOf) -> None:
    picture = picture_of(environment)
    known = {card.id for card in picture.cards} | {"vpc", INTERNET}
    assert all({*flow.source.ids, *flow.target.ids} <= known for flow in picture.flows)
    assert all(flow.source.ids and flow.target.ids for flow in picture.flows)
    ids = [card.id for card in picture.cards]
    assert len(set(ids)) == len(ids)
