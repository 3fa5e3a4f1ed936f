"""The allocatable of a node that DaemonSets leave."""

from __future__ import annotations

from scheduling_examples import NEURON_TAINT, node, pod, toleration

from local_kubernetes.model.scheduling.free_allocatable import free_allocatable, pods_per_node, with_requests_of
from local_kubernetes.model.scheduling.pod import ClaimedDevices, ResourceClaim

AGENT = pod("DaemonSet", "x/agent", requests={"cpu": 500, "pods": 1})


def test_only_daemons_that_come_to_a_node_take_room_of_it() -> None:
    everywhere = pod("DaemonSet", "x/cni", requests={"cpu": 100, "pods": 1}, tolerations=(toleration(None),))
    tainted, plain = free_allocatable([node(taints=(NEURON_TAINT,)), node()], [AGENT, everywhere, pod()])
    assert (tainted.allocatable["cpu"], plain.allocatable["cpu"]) == (3900, 3400)
    assert (tainted.allocatable["pods"], plain.allocatable["pods"]) == (9, 8)


def test_what_a_node_surely_does_not_exceed_shrinks_too() -> None:
    (left,) = free_allocatable([node(upper_bounds={"cpu": 5000})], [AGENT])
    assert left.upper_bounds["cpu"] == 4500


def test_a_daemon_finds_the_node_without_itself() -> None:
    (left,) = free_allocatable([node()], [AGENT])
    assert with_requests_of(left, AGENT).allocatable == node().allocatable


def test_more_daemons_than_a_node_holds_leave_less_than_nothing() -> None:
    (left,) = free_allocatable([node()], [AGENT] * 9)
    assert left.allocatable["cpu"] == -500
    assert with_requests_of(left, AGENT).allocatable["cpu"] == 0


def test_the_scarcest_resource_says_how_many_pods_a_node_holds() -> None:
    assert pods_per_node(pod(requests={"cpu": 1500, "pods": 1, "gold": 1}), node()) == 2
    assert pods_per_node(pod(requests={"gold": 1}), node()) is None


def test_a_driver_publishes_the_chips_of_the_nodes_that_it_comes_to() -> None:
    driver = pod("DaemonSet", "x/driver", device_class="neuron.aws.com")
    machines = [node(neuron_devices=16), node(neuron_devices=16, taints=(NEURON_TAINT,)), node(neuron_devices=0)]
    assert [dict(each.claimable) for each in free_allocatable(machines, [driver])] == [{"neuron.aws.com": 16}, {}, {}]
    assert [dict(each.claimable) for each in free_allocatable(machines, [AGENT])] == [{}, {}, {}]


def test_claims_say_how_many_pods_a_node_holds() -> None:
    def held(count: int | None, unit: str = "device") -> int | None:
        devices = ClaimedDevices("neuron.aws.com", count, unit)  # type: ignore[arg-type]  # given as text
        return pods_per_node(pod(claims=(ResourceClaim("chips", (devices,)),)), node(claimable={"neuron.aws.com": 16}))

    assert [held(16), held(4), held(1), held(None), held(1, "node")] == [1, 4, 10, 1, 1]
