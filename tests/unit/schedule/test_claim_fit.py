"""Claims of devices held against what drivers publish on a node."""

from __future__ import annotations

from typing import Any

import pytest
from shapes import node, pod

from neuron_cluster.schedule.device_claim import ClaimedDevices, DeviceClaim
from neuron_cluster.schedule.fit import doubts_about, misfits, why_not
from neuron_cluster.schedule.node_shape import NodeShape
from neuron_cluster.schedule.pod_shape import PodShape

NEURON = "neuron.aws.com"
TYPE = "node.kubernetes.io/instance-type"
UNPUBLISHED = "which no driver publishes on the nodes"


def claiming(*devices: ClaimedDevices) -> PodShape:
    return pod(claims=(DeviceClaim("chips", devices),))


def driven(**said: Any) -> NodeShape:
    """A node with 16 chips, which a DRA driver publishes."""
    return node(**{"neuron_devices": 16, "claimable": {NEURON: 16}, "labels": {TYPE: "trn2.48xlarge"}, **said})


@pytest.mark.parametrize("count", [1, 16, None])
def test_as_many_as_the_driver_publishes_fit(count: int | None) -> None:
    assert why_not(claiming(ClaimedDevices(NEURON, count)), driven()) == ()


@pytest.mark.parametrize(
    ("devices", "on", "reason"),
    [
        ((ClaimedDevices(NEURON, 17),), {}, f"it claims 17 of device class {NEURON}, a node has 16"),
        (
            (ClaimedDevices(NEURON, 9), ClaimedDevices(NEURON, 8)),
            {},
            f"it claims 17 of device class {NEURON}, a node has 16",
        ),
        ((ClaimedDevices(NEURON, 16),), {"claimable": {}}, f"it claims 16 of device class {NEURON}, {UNPUBLISHED}"),
        ((ClaimedDevices("", 16),), {}, f"it claims 16 of no device class, {UNPUBLISHED}"),
        ((ClaimedDevices("gpu", None),), {}, f"it claims all of device class gpu, {UNPUBLISHED}"),
        (
            (ClaimedDevices(NEURON, 1, "node"),),
            {},
            "it claims a whole node of an UltraServer, and the nodes are of none",
        ),
        (
            (ClaimedDevices(NEURON, 2, "node"),),
            {"is_ultraserver": True},
            "it claims 2 whole nodes, and a pod runs on one",
        ),
        (
            (ClaimedDevices(NEURON, 1, instance_type="trn1.2xlarge"),),
            {},
            "its claim wants devices of trn1.2xlarge, the nodes are trn2.48xlarge",
        ),
    ],
)
def test_what_a_node_cannot_give_is_a_reason(
    devices: tuple[ClaimedDevices, ...], on: dict[str, Any], reason: str
) -> None:
    assert why_not(claiming(*devices), driven(**on)) == (reason,)


def test_the_device_plugin_serves_no_claim_and_the_driver_no_extended_resource() -> None:
    plugin = node(neuron_devices=16)
    assert why_not(pod(requests={"aws.amazon.com/neuron": 16}), plugin) == ()
    assert why_not(claiming(ClaimedDevices(NEURON, 16)), plugin)
    assert why_not(pod(requests={"aws.amazon.com/neuron": 16}), driven(allocatable={"cpu": 1}))


def test_a_template_that_is_not_at_hand_is_a_doubtful_reason() -> None:
    (found,) = misfits(pod(claims=(DeviceClaim("chips", missing="ResourceClaimTemplate all"),)), driven())
    assert found.reason == "its claim chips is made from ResourceClaimTemplate all, which is not among these objects"
    assert found.doubt


def test_what_is_not_judged_is_said() -> None:
    claim = DeviceClaim("chips", (ClaimedDevices(NEURON, 4),), doubts=("its constraints are not evaluated",))
    assert doubts_about(pod(claims=(claim,)), driven()) == ("claim chips: its constraints are not evaluated",)
    unknown = driven(neuron_devices=None, claimable={NEURON: None})
    assert why_not(claiming(ClaimedDevices(NEURON, 99)), unknown) == ()
    assert "how many" in doubts_about(claiming(ClaimedDevices(NEURON, 99)), unknown)[0]


def test_single_chips_of_an_ultraserver_are_a_doubt_and_its_whole_nodes_are_not() -> None:
    on = driven(is_ultraserver=True)
    assert "neuron_node" in doubts_about(claiming(ClaimedDevices(NEURON, 16)), on)[0]
    assert doubts_about(claiming(ClaimedDevices(NEURON, 1, "node")), on) == ()
    assert why_not(claiming(ClaimedDevices(NEURON, 1, "node")), on) == ()
