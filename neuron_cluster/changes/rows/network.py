"""Rows of ``network``: almost everything depends on it, so almost nothing of it can change."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect
from neuron_cluster.findings.commands import Command

NETWORK_ROWS = (
    ChangeRow(
        "network",
        FieldEffect.STATE,
        "See its fields.",
        "See its fields.",
        depends=True,
    ),
    ChangeRow(
        "network.existing",
        FieldEffect.STATE,
        "Security groups, and with them the file system and the cluster, would be replaced by those of another VPC. "
        "The VPC itself is not changed.",
        "Deploy a second environment with the other VPC under another name, copy the data, destroy the old one.",
        depends=True,
    ),
    ChangeRow(
        "network.existing.vpc_id",
        FieldEffect.STATE,
        "Security groups, and with them the file system and the cluster, would be replaced by those of another VPC.",
        "Deploy a second environment with the other VPC under another name, copy the data, destroy the old one.",
        depends=True,
    ),
    ChangeRow(
        "network.existing.subnets",
        FieldEffect.STATE,
        "A further subnet changes no address; node groups that name no zone are replaced. What is in a subnet that is "
        "taken out would be replaced, the file system too.",
        "Take the zone out of every node group and deploy, then take its subnet out.",
        depends=True,
    ),
    *(
        ChangeRow(
            f"network.existing.subnets[].{key}",
            FieldEffect.STATE,
            f"{what}: node groups there get new nodes; the file system, and a workstation, would be replaced.",
            "Add a subnet of another zone, move node groups there, and copy the data to a new environment.",
            depends=True,
        )
        for key, what in (
            ("id", "Another subnet"),
            ("availability_zone", "A subnet of another zone"),
            ("kind", "A subnet that nodes use or no longer use"),
        )
    ),
    ChangeRow(
        "network.cidr",
        FieldEffect.STATE,
        "VPC, subnets and security groups would be replaced, and with them the file system, whose interfaces are in "
        "them; templates of other stacks show nothing of it. Only a network that holds nothing yet moves.",
        "Deploy a second environment with the new addresses under another name, copy the data, destroy the old one. "
        f"One without data: `{Command.DESTROY}`, then deploy.",
        depends=True,
    ),
    ChangeRow(
        "network.availability_zones",
        FieldEffect.STATE,
        "Appending a zone adds subnets in place, and replaces the node groups that name no zone; in another order the "
        "subnets get other addresses, and the file system is deleted with its subnet.",
        "To drop the last zone: first take it out of every node group and deploy, then deploy what uses its subnets "
        "alone (`cdk deploy --exclusively NAME-cluster NAME-system NAME-nodes`), then everything. Never reorder.",
        depends=True,
    ),
    ChangeRow(
        "network.nat",
        FieldEffect.DISPOSABLE,
        "NAT gateways and their addresses are created or deleted, with `none` the public subnets too; outgoing "
        "connections break for a moment and have other source addresses.",
    ),
    ChangeRow(
        "network.endpoints",
        FieldEffect.DISPOSABLE,
        "Endpoints are created or deleted; a service whose endpoint is deleted is reached through NAT, or not "
        "at all: `diff` names each.",
    ),
    ChangeRow(
        "network.secondary_cidrs",
        FieldEffect.PUBLISHED,
        "A further range and its subnet are added in place. One that nodes use is not removed: the nodes stack imports "
        "its subnet.",
        "Move its node groups first (`subnets: primary`, or out of the file) and deploy, then take the range out.",
        depends=True,
    ),
    ChangeRow(
        "network.secondary_cidrs[].cidr",
        FieldEffect.PUBLISHED,
        "The subnet would be replaced, and with it the node groups that are in it.",
        "Move its node groups first (`subnets: primary`, or out of the file) and deploy, then write the other range.",
        depends=True,
    ),
    ChangeRow(
        "network.secondary_cidrs[].availability_zone",
        FieldEffect.PUBLISHED,
        "The subnet would be replaced by one in the other zone, and with it the node groups that are in it.",
        "Move its node groups first (`subnets: primary`, or out of the file) and deploy, then write the other zone.",
        depends=True,
    ),
)
