"""A stack of another app with every construct, and its template."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

ZONES = ("usw2-az4", "usw2-az1")
CLUSTER_GROUP, CLIENT_GROUP = "sg-0123456789abcdef0", "sg-00000000000000001"


class OtherApp(NamedTuple):
    """An app that uses the constructs, with what a test extends."""

    app: Any
    stack: Any
    cluster: Any


@pytest.fixture
def other_app(cdk: Any) -> OtherApp:
    """An empty stack for any account and Region, with a cluster that exists."""
    return new_app(cdk)


def new_app(cdk: Any, **props: Any) -> OtherApp:
    from aws_cdk import aws_eks_v2 as eks

    app = cdk.App(analytics_reporting=False, outdir=props.pop("outdir", None))
    stack = cdk.Stack(app, "ml", **props)
    cluster = eks.Cluster.from_cluster_attributes(
        stack, "Cluster", cluster_name="shared", cluster_security_group_id=CLUSTER_GROUP
    )
    return OtherApp(app, stack, cluster)


def add_constructs(other: OtherApp) -> None:
    """One of each construct."""
    from neuron_cluster import cdk as neuron

    network = neuron.NeuronNetwork(other.stack, "Network", cidr="10.30.0.0/16", availability_zones=ZONES)
    neuron.NeuronNodeGroup(
        other.stack,
        "Training",
        cluster=other.cluster,
        name="trn1",
        instance_type="trn1.32xlarge",
        network=network,
        availability_zone=ZONES[0],
        count={"min": 0, "desired": 2, "max": 4},
        security_group_ids=[CLIENT_GROUP],
    )
    neuron.NeuronLaunchTemplate(
        other.stack,
        "Debug",
        instance_type="trn2.48xlarge",
        availability_zone=ZONES[0],
        security_group_ids=[CLIENT_GROUP],
        efa_security_group_id=network.efa_security_group.security_group_id,
        image_id="ami-0123456789abcdef0",
        root_device_name="/dev/sda1",
        logical_nc_config=1,
        boot_script="echo ready\n",
        tags={"team": "research"},
    )
    neuron.NeuronBucket(other.stack, "Data", expire_days={"compile-cache/": 90})
    neuron.LustreFileSystem(
        other.stack,
        "Files",
        vpc_id=network.vpc_id,
        subnet_id=network.private_subnet_ids[ZONES[0]],
        availability_zone=ZONES[0],
        capacity_gib=2400,
    )


@pytest.fixture(scope="session")
def make_app(cdk: Any) -> Callable[..., Any]:
    """Makes the app with every construct; its options are those of ``run_packs`` in tests/compliance."""

    def make(*, outdir: Any = None, **_: Any) -> Any:
        other = new_app(cdk, outdir=str(outdir) if outdir is not None else None)
        add_constructs(other)
        return other.app

    return make


@pytest.fixture(scope="session")
def template(cdk: Any) -> dict[str, Any]:
    """The template of the stack with every construct."""
    from aws_cdk.assertions import Template

    other = new_app(cdk)
    add_constructs(other)
    return dict(Template.from_stack(other.stack).to_json())


@pytest.fixture(scope="session")
def resource(template: dict[str, Any]) -> Callable[[str, str], Any]:
    """Properties of the one resource of a type whose logical id begins with the construct's."""

    def find(kind: str, construct: str) -> Any:
        (found,) = (
            each["Properties"]
            for name, each in template["Resources"].items()
            if each["Type"] == kind and name.startswith(construct)
        )
        return found

    return find
