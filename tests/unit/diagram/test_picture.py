"""Pictures of plans."""

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
    """Returns the area with this id, wherever it is."""

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


def test_a_slurm_controller_is_run_by_aws_and_has_a_network_interface_in_its_subnet(picture_of: PictureOf) -> None:
    picture = picture_of("slurm-trn1")
    controller = _card(picture, "cluster-slurm")
    assert (controller.kind, controller.kind_text, controller.title) == (
        Kind.CLUSTER, "controller of AWS PCS", "Slurm 25.11"
    )  # fmt: skip
    assert "size small: 17 of 32 instances at most" in controller.lines
    assert controller in _area(picture, "region").items
    zones = [[card.id for card in _area(picture, f"zone-usw2-{zone}").cards] for zone in ("az4", "az1")]
    assert zones == [["nat-usw2-az4", "interface-slurm", "group-login", "group-trn1", "lustre"], []]
    assert [_card(picture, f"group-{name}").kind_text for name in ("login", "trn1")] == [
        "login group", "compute node group"
    ]  # fmt: skip


def test_jobs_of_slurm_come_from_the_login_group_where_teams_log_in(picture_of: PictureOf) -> None:
    picture = picture_of("slurm-storage")
    assert _area(picture, "region").note == "account 111122223333, budget 450,000 USD a month"
    assert [card.lines for card in _area(picture, "teams").cards] == [
        ("1 member role", "user team-research of Slurm nodes", "budget 400,000 USD a month"),
        ("1 member role", "user team-product of Slurm nodes"),
    ]
    flows = [(flow.source.title, flow.target.title, flow.text) for flow in picture.flows]
    assert flows == [
        ("research, product", "login", "sessions, by Session Manager"),
        ("login", "trn1", "jobs, by queue training"),
        ("login, trn1", "FSx for Lustre", "files, mounted"),
        ("login, trn1", "EFS", "files, by NFS"),
        ("trn1", "Compile cache", "compiled graphs"),
        ("private subnets", "internet", "outbound, by 1 NAT gateway"),
    ]
    assert picture_of("slurm-trn1").flows[0].source.ids == ("group-login",)


def test_kubernetes_and_slurm_beside_each_other(two_clusters: ClusterPlan, catalog: Catalog) -> None:
    picture = build_picture(two_clusters, catalog)
    assert [card.title for card in picture.cards if card.kind is Kind.CLUSTER] == ["Kubernetes 1.35", "Slurm 25.11"]
    research = _card(picture, "team-research")
    assert {"6 Neuron devices of serve", "user team-research of Slurm nodes"} <= set(research.lines)
    assert "queues training, everything" in _card(picture, "group-trn1").lines
    jobs = [(flow.source.title, flow.target.title) for flow in picture.flows if flow.text.startswith("jobs")]
    assert jobs == [("research, product", "serve"), ("login", "trn1"), ("login", "prepare, trn1")]


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


@pytest.mark.parametrize("environment", [*ENVIRONMENTS, "storage-kinds", "slurm-storage"])
def test_each_end_of_a_flow_is_in_the_picture(environment: str, picture_of: PictureOf) -> None:
    picture = picture_of(environment)
    known = {card.id for card in picture.cards} | {"vpc", INTERNET}
    assert all({*flow.source.ids, *flow.target.ids} <= known for flow in picture.flows)
    assert all(flow.source.ids and flow.target.ids for flow in picture.flows)
    ids = [card.id for card in picture.cards]
    assert len(set(ids)) == len(ids)
