"""The purchase as a command, and what then stands in the environment."""

from __future__ import annotations

import shlex
from typing import Any

import yaml

from neuron_cluster.capacity.block_unit import ultraserver_unit
from neuron_cluster.capacity.purchase_command import ID_TO_FILL_IN, PurchaseCommand, environment_lines
from neuron_cluster.catalog.catalog import load_catalog

from .offers import an_offer


def test_the_command_names_region_platform_and_offering() -> None:
    assert PurchaseCommand().arguments(an_offer()) == (
        *("aws", "ec2", "purchase-capacity-block", "--region", "us-east-2", "--instance-platform", "Linux/UNIX"),
        *("--capacity-block-offering-id", "cb-0123456789abcdef0"),
    )


def test_the_pasted_lines_are_that_command() -> None:
    for till in (PurchaseCommand(), PurchaseCommand("http://127.0.0.1:5055")):
        command = till.command(an_offer())
        assert tuple(shlex.split(command.replace("\\\n", ""))) == till.arguments(an_offer())
        assert max(map(len, command.splitlines())) < 78
    assert "--endpoint-url http://127.0.0.1:5055" in command


def test_the_reservation_of_the_block_gets_the_tags_that_budgets_count() -> None:
    tags = {"neuron-cluster:environment": "train-trn2", "neuron-cluster:team": "research"}
    given = (
        "ResourceType=capacity-reservation,Tags=[{Key=neuron-cluster:environment,Value=train-trn2},"
        "{Key=neuron-cluster:team,Value=research}]"
    )
    assert PurchaseCommand().arguments(an_offer(), tags)[-2:] == ("--tag-specifications", given)
    assert PurchaseCommand().command(an_offer(), tags).splitlines()[-1] == f"  --tag-specifications '{given}'"


def edits_of(lines: str) -> dict[str, Any]:
    filled_in = lines.replace(ID_TO_FILL_IN, "cr-0fedcba9876543210")
    tree = yaml.load(filled_in, yaml.BaseLoader)  # noqa: S506 - BaseLoader makes nothing but text, as the toolkit does
    return {f"eks.node_groups.1.{key}": value for key, value in tree.items()}


def test_the_lines_for_the_environment_are_an_edit_that_it_accepts(plan_of: Any) -> None:
    group = plan_of("train-trn2", edits_of(environment_lines(an_offer(zone_id="use2-az3")))).kubernetes.node_groups[1]
    purchase = group.machine.purchase
    assert (purchase.reservation_id, group.zone_ids) == ("cr-0fedcba9876543210", ("use2-az3",))
    assert (purchase.starts, purchase.ends) == ("2026-12-01T11:30:00Z", "2026-12-02T11:30:00Z")


def test_so_are_those_of_a_block_of_ultraservers(plan_of: Any) -> None:
    offer = an_offer(unit=ultraserver_unit("u-trn2x64", load_catalog()), zone_id="aps2-az3", region="ap-south-2")
    elsewhere = {
        "region": "ap-south-2",
        "network.availability_zones": ["aps2-az3", "aps2-az1"],
        "storage.lustre": None,
    }
    group = plan_of("train-trn2", elsewhere | edits_of(environment_lines(offer))).kubernetes.node_groups[1]
    assert group.machine.instance_type == "trn2u.48xlarge"
    assert group.machine.purchase.reservation_id == "cr-0fedcba9876543210"


def test_a_zone_that_is_not_known_is_not_written() -> None:
    assert "availability_zone" not in environment_lines(an_offer(zone_id=None))
