"""Claims of devices held against what drivers publish on a node."""

from __future__ import annotations

from typing import Any

import pytest
from scheduling_examples import messages, node, pod

from local_kubernetes.model.scheduling.filters import doubts_about, unschedulable_reasons
from local_kubernetes.model.scheduling.node import NodeInfo
from local_kubernetes.model.scheduling.pod import ClaimedDevices, PodInfo, ResourceClaim

NEURON = "neuron.aws.com"
TYPE = "node.kubernetes.io/instance-type"
UNPUBLISHED = "which no driver publishes on the nodes"


def claiming(*devices: ClaimedDevices) -> PodInfo:
    return pod(claims=(ResourceClaim("chips", devices),))


def driven(**said: Any) -> NodeInfo:
    """A node with 16 chips, which a DRA driver publishes."""
    return node(**{"neuron_devices": 16, "claimable": {NEURON: 16}, "labels": {TYPE: "trn2.48xlarge"}, **said})


@pytest.mark.parametrize("count", [1, 16, None])
def test_as_many_as_the_driver_publishes_fit(count: int | None) -> None:
    assert messages(claiming(ClaimedDevices(NEURON, count)), driven()) == ()


@pytest.mark.parametrize(
    ("devices", "on", "reason"),
    [
        ((ClaimedDevices(NEURON, 17),), {}, f"claims 17 of device class {NEURON}, but a node has 16"),
        (
            (ClaimedDevices(NEURON, 9), ClaimedDevices(NEURON, 8)),
            {},
            f"claims 17 of device class {NEURON}, but a node has 16",
        ),
        ((ClaimedDevices(NEURON, 16),), {"claimable": {}}, f"claims 16 of device class {NEURON}, {UNPUBLISHED}"),
        ((ClaimedDevices("", 16),), {}, f"claims 16 of no device class, {UNPUBLISHED}"),
        ((ClaimedDevices("gpu", None),), {}, f"claims all of device class gpu, {UNPUBLISHED}"),
        (
            (ClaimedDevices(NEURON, 1, "node"),),
            {},
            "claims a whole node of an UltraServer, but the nodes are not part of one",
        ),
        (
            (ClaimedDevices(NEURON, 2, "node"),),
            {"is_ultraserver": True},
            "claims 2 whole nodes, but a pod runs on one",
        ),
        (
            (ClaimedDevices(NEURON, 1, instance_type="trn1.2xlarge"),),
            {},
            "its claim selects devices of trn1.2xlarge, but the nodes are trn2.48xlarge",
        ),
    ],
)
def test_what_a_node_cannot_give_is_a_reason(
    devices: tuple[ClaimedDevices, ...], on: dict[str, Any], reason: str
) -> None:
    assert messages(claiming(*devices), driven(**on)) == (reason,)


def test_the_device_plugin_serves_no_claim_and_the_driver_no_extended_resource() -> None:
    plugin = node(neuron_devices=16)
    assert messages(pod(requests={"aws.amazon.com/neuron": 16}), plugin) == ()
    assert messages(claiming(ClaimedDevices(NEURON, 16)), plugin)
    assert messages(pod(requests={"aws.amazon.com/neuron": 16}), driven(allocatable={"cpu": 1}))


def test_a_template_that_is_not_at_hand_is_a_doubtful_reason() -> None:
    (found,) = unschedulable_reasons(
        pod(claims=(ResourceClaim("chips", missing="ResourceClaimTemplate all"),)), driven()
    )
    assert found.message == "its claim chips references ResourceClaimTemplate all, which is not among these objects"
    assert found.doubt


def test_what_is_not_judged_is_said() -> None:
    claim = ResourceClaim("chips", (ClaimedDevices(NEURON, 4),), doubts=("its constraints are not evaluated",))
    assert doubts_about(pod(claims=(claim,)), driven()) == ("claim chips: its constraints are not evaluated",)
    unknown = driven(neuron_devices=None, claimable={NEURON: None})
    assert messages(claiming(ClaimedDevices(NEURON, 99)), unknown) == ()
    assert "how many" in doubts_about(claiming(ClaimedDevices(NEURON, 99)), unknown)[0]


def test_single_chips_of_an_ultraserver_are_a_doubt_and_its_whole_nodes_are_not() -> None:
    on = driven(is_ultraserver=True)
    assert "neuron_node" in doubts_about(claiming(ClaimedDevices(NEURON, 16)), on)[0]
    assert doubts_about(claiming(ClaimedDevices(NEURON, 1, "node")), on) == ()
    assert messages(claiming(ClaimedDevices(NEURON, 1, "node")), on) == ()
