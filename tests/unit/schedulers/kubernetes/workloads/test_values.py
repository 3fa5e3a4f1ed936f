"""Every workload in every shipped environment fits a node exactly, or the reason is told."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest

from local_kubernetes.model.names import EFA, NEURON
from local_kubernetes.model.placement import Toleration
from local_kubernetes.model.scheduling.filters import unschedulable_reasons
from local_kubernetes.model.scheduling.free_allocatable import pods_per_node
from local_kubernetes.model.scheduling.node import GIB, NodeInfo
from local_kubernetes.model.scheduling.pod import ClaimedDevices, PodInfo, ResourceClaim
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.network_plan import SubnetTier
from neuron_cluster.schedulers.kubernetes.workloads.recipes import RECIPES
from neuron_cluster.schedulers.kubernetes.workloads.values import WorkloadValues
from tests.every_case import every_case
from tests.unit.schedulers.kubernetes.conftest import Choose

ENVIRONMENTS = sorted(path.stem for path in (Path(__file__).parents[5] / "environments").glob("*.yaml"))
EVERYWHERE = {
    "hyperpod-slurm-trn1": "E9202",
    "sagemaker-finetune": "E9202",
    "serve-inf1": "E9207",
    "slurm-trn1": "E9202",
    "slurm-trn2-block": "E9202",
    "train-trn3": "E9210",
    "workstation": "E9202",
}
"""Environments where workloads do not run: no image for the chip, a machine whose size is not known, no cluster."""
GROUPS = {"research-teams": "trn1"}
"""The named group of each environment with several Neuron groups."""
WARMER = {
    **dict.fromkeys(
        (
            "dev-inf2",
            "existing-vpc",
            "finetune-trn1",
            "hyperpod-teams",
            "private-trn1",
            "research-teams",
            "train-east",
            "train-trn1",
            "train-trn1n",
            "train-west",
        ),
        "E9212",
    ),
    "train-trn3": None,
}
"""The warmer needs graphs of the user's own on chips without vLLM 0.21, and no device where it has vLLM."""
MODEL_STORE = {"serve-inf1": None, "train-trn3": None, "private-trn1": "E9254"}
"""It runs on the CPU nodes, whatever the chip of the others. Without a route to the internet it needs the address of a
mirror of the Hub."""

WITHOUT_DEVICES = {"train-trn3": None}
"""serving-check needs no size of a node."""
SERVING = {"serve-inf1": None}
"""TorchServe runs on Inf1."""

DRA = {"eks.addons": {"neuron_dra_driver": True}}


def reported(chart: str, environment: str) -> str | None:
    own = {
        "compile-cache-warmer": WARMER,
        "model-store": MODEL_STORE,
        "neuron-serving": SERVING,
        "serving-check": WITHOUT_DEVICES,
    }.get(chart, {})
    return own[environment] if environment in own else EVERYWHERE.get(environment)


def pod_of(machine: dict[str, Any]) -> PodInfo:
    """One pod of a whole ``machine``, as the charts ask for it."""
    cpu = str(machine["cpu"])
    is_claimed = machine.get("deviceManagement") == "dra"
    unit: Literal["device", "node"] = "node" if machine.get("ultraServerMode") else "device"
    count = 1 if unit == "node" else machine.get("neuronDevices", 0)
    devices = ClaimedDevices("neuron.aws.com", count, unit)
    requests = {
        "cpu": int(cpu.removesuffix("m")) if cpu.endswith("m") else int(cpu) * 1000,
        "memory": machine["memoryGib"] * GIB,
        "pods": 1,
        NEURON: 0 if is_claimed else machine.get("neuronDevices", 0),
        EFA: machine.get("efaInterfaces", 0),
    }
    asked = {k: v for k, v in requests.items() if v}
    claims = (ResourceClaim("neurons", (devices,)),) if is_claimed else ()
    return PodInfo("Pod default/p", "Pod", {}, (), (), asked, 1, claims=claims)


def node_of(chosen: WorkloadValues) -> NodeInfo:
    return chosen.evaluation.node_of(chosen.values["machine"]["nodeGroup"])


@every_case("chart, environment", itertools.product(RECIPES, ENVIRONMENTS))
def test_it_fills_a_node_but_for_a_reserve_or_the_reason_is_told(chart: str, environment: str, choose: Choose) -> None:
    expected = reported(chart, environment)
    given = {"claim": "lustre" if RECIPES[chart].locations else None, "group": GROUPS.get(environment)}
    if expected is not None:
        with pytest.raises(InvalidEnvironment) as refusal:
            choose(chart, environment, **given)
        assert expected in {found.id for found in refusal.value.findings}
        assert all(found.message and found.hint for found in refusal.value.findings)
        return
    chosen = choose(chart, environment, **given)
    if not RECIPES[chart].uses_devices and not RECIPES[chart].runs_on_cpu_nodes:
        assert chosen.values["machine"].keys() == {"instanceType", "nodeGroup"}, "the chart's own requests are kept"
        return
    machine, node = dict(chosen.values["machine"]), node_of(chosen)
    pod = pod_of(machine)
    left = {name: amount for name, amount in node.allocatable.items() if name in pod.requests}
    assert all(left[name] >= asked for name, asked in pod.requests.items())
    if machine.get("neuronDevices"):
        assert pods_per_node(pod, node) == 1
        reserve = {"memory": min(8 * GIB, left["memory"] // 32), "cpu": min(2000, left["cpu"] // 32)}
        for name, unit in (("memory", GIB), ("cpu", 1000)):
            assert reserve[name] <= left[name] - pod.requests[name] < reserve[name] + unit, name
        assert machine["neuronDevices"] == node.free_neuron_devices


@pytest.mark.parametrize("environment", sorted(set(ENVIRONMENTS) - set(EVERYWHERE)))
def test_its_tolerations_admit_it_to_the_group(environment: str, choose: Choose) -> None:
    chosen = choose("collectives-check", environment, group=GROUPS.get(environment))
    tolerations = tuple(Toleration(**each) for each in chosen.values["tolerations"])
    bare = PodInfo("Pod default/p", "Pod", {}, (), (), {"pods": 1}, 1)
    assert unschedulable_reasons(bare, chosen.node), "the group has no taint, and the test shows nothing"
    tolerant = PodInfo("Pod default/p", "Pod", {}, (), tolerations, {"pods": 1}, 1)
    assert unschedulable_reasons(tolerant, chosen.node) == ()


def test_a_part_of_the_devices_gets_that_part_of_everything(choose: Choose) -> None:
    whole = choose("neuron-serving", "train-trn2", claim="c")
    quarter = choose("neuron-serving", "train-trn2", claim="c", given={"machine": {"neuronDevices": 4}})
    machine = quarter.values["machine"]
    assert machine["neuronCores"] * 4 == whole.values["machine"]["neuronCores"]
    assert machine["memoryGib"] == whole.values["machine"]["memoryGib"] // 4
    assert pods_per_node(pod_of(machine), quarter.node) == 4
    assert quarter.values["model"]["tensorParallelSize"] == machine["neuronCores"]


def test_efa_is_asked_for_beyond_one_node_only(choose: Choose) -> None:
    assert choose("neuron-training", "train-trn1", nodes=1).values["machine"]["efaInterfaces"] == 0
    two = choose("neuron-training", "train-trn1", nodes=2)
    assert two.values["machine"]["efaInterfaces"] == two.group.machine.efa_interfaces > 0
    assert two.values["nodes"] == 2


def test_a_device_plugin_of_the_users_own_lets_nodes_talk_without_nat(choose: Choose) -> None:
    """The file that E1005 proposes for a network without NAT has no E9205."""
    private = {"network.nat": "none", "eks.image_cache": True, "eks.addons": {"jobset": False}}
    there = {**private, "eks.installed_otherwise": ["efa_device_plugin", "jobset"]}
    two = choose("neuron-training", "train-trn1", there, nodes=2)
    assert two.values["machine"]["efaInterfaces"] == two.group.machine.efa_interfaces > 0


@pytest.mark.parametrize(("nodes", "size"), [(1, 0), (2, 2), (3, 0), (4, 4)])
def test_nodes_that_can_share_an_ultraserver_do(nodes: int, size: int, choose: Choose) -> None:
    edits = {"eks.addons": None}  # the device plugin in place of the DRA driver
    assert choose("neuron-training", "train-trn2u", edits, nodes=nodes).values["ultraServer"] == {"size": size}
    assert choose("neuron-training", "train-trn2", nodes=nodes).values["ultraServer"] == {"size": 0}


@pytest.mark.parametrize(("nodes", "mode"), [(1, 1), (2, 2), (3, 1), (4, 4)])
def test_with_the_dra_driver_a_node_of_an_ultraserver_is_claimed_whole(nodes: int, mode: int, choose: Choose) -> None:
    machine = choose("neuron-training", "train-trn2u", nodes=nodes).values["machine"]
    assert (machine["deviceManagement"], machine["ultraServerMode"], machine["neuronDevices"]) == ("dra", mode, 16)
    assert choose("collectives-check", "train-trn2u", nodes=nodes).values["machine"]["ultraServerMode"] == mode


def test_an_ultraserver_of_ones_own_choice_is_in_the_claim(choose: Choose) -> None:
    chosen = choose("neuron-training", "train-trn2u", nodes=4, given={"ultraServer": {"size": 2}})
    assert chosen.values["machine"]["ultraServerMode"] == 2
    apart = choose("neuron-training", "train-trn2u", nodes=4, given={"ultraServer": {"size": 0}})
    assert apart.values["machine"]["ultraServerMode"] == 1


def test_with_the_dra_driver_other_nodes_chips_are_claimed_and_lnc_is_always_said(choose: Choose) -> None:
    lnc1 = choose("collectives-check", "train-trn2", {**DRA, "eks.node_groups.1.logical_nc_config": 1}).values[
        "machine"
    ]
    usual = choose("collectives-check", "train-trn2", DRA).values["machine"]
    trn1 = choose("collectives-check", "train-trn1", DRA).values["machine"]
    ways = [(m["deviceManagement"], m["ultraServerMode"], m["neuronDevices"]) for m in (lnc1, usual, trn1)]
    assert ways == [("dra", 0, 16)] * 3
    assert [m["logicalNcConfig"] for m in (lnc1, usual, trn1)] == [1, 2, 0]


def test_a_part_of_an_ultraservers_node_is_claimed_by_the_chip(choose: Choose) -> None:
    given = {"machine": {"neuronDevices": 4}}
    machine = choose("neuron-serving", "train-trn2u", claim="c", given=given).values["machine"]
    assert (machine["ultraServerMode"], machine["neuronCores"]) == (0, 16)


@pytest.mark.parametrize(
    ("environment", "edits", "lnc"),
    [
        ("train-trn2", {"eks.node_groups.1.logical_nc_config": 1}, 1),
        ("train-trn2", {}, 2),
        ("train-trn2u", {"eks.node_groups.1.logical_nc_config": 1}, 1),
        ("train-trn1", {}, 0),
        ("dev-inf2", {}, 0),
    ],
)
def test_pods_and_the_cache_have_the_lnc_of_a_type_with_a_choice(
    choose: Choose, environment: str, edits: dict[str, Any], lnc: int
) -> None:
    """The compiler takes 2 without the variable; types without a choice have no value to set."""
    edits = edits | {"storage.checkpoint_bucket": {}, "storage.compile_cache": {}}
    serving = choose("neuron-serving", environment, edits, claim="lustre").values
    assert serving["machine"]["logicalNcConfig"] == lnc
    if "trn2" in environment:
        warmer = choose("compile-cache-warmer", environment, edits, given={"weights": {"claim": "models"}}).values
        training = choose("neuron-training", environment, edits, claim="lustre").values
        assert warmer["compiler"]["logicalNcConfig"] == lnc
        assert training["compileCache"]["subfolder"].endswith(f"/trn2/lnc-{lnc}")


def test_logical_cores_follow_the_groups_lnc(choose: Choose) -> None:
    edits = {"eks.node_groups.1.logical_nc_config": 1}
    machine = choose("collectives-check", "train-trn2", edits).values["machine"]
    assert (machine["logicalNcConfig"], machine["neuronCores"]) == (1, 128)
    usual = choose("collectives-check", "train-trn2").values["machine"]
    assert (usual["logicalNcConfig"], usual["neuronCores"]) == (2, 64)


def test_the_check_warns_below_the_catalogs_floor_at_the_largest_size(choose: Choose) -> None:
    [floor] = choose("collectives-check", "train-trn2").values["floors"]
    assert (floor["operation"], floor["bytes"], floor["enforced"]) == ("all_reduce", 1024**3, False)
    assert floor["busBandwidthGibps"] == 93.1
    given = {"sizes": {"maxBytes": 10**8}}
    assert choose("collectives-check", "train-trn2", given=given).values["floors"][0]["bytes"] == 4**3 * 1024**2
    for wish in ({"nodes": 1}, {"given": {"operations": ["all_gather"]}}, {"given": {"floors": []}}):
        assert choose("collectives-check", "train-trn2", **wish).values["floors"] == []


def test_the_minimum_is_one_of_efa_which_an_ultraserver_does_not_use(choose: Choose) -> None:
    """All four nodes of train-trn2u are one UltraServer, and no source has a minimum for its NeuronLink."""
    for nodes, size, floors in ((4, 4, 0), (2, 2, 0), (3, 0, 1)):
        values = choose("collectives-check", "train-trn2u", nodes=nodes).values
        assert (values["ultraServer"], len(values["floors"])) == ({"size": size}, floors)
    efa = choose("collectives-check", "train-trn2u", nodes=4, given={"ultraServer": {"size": 0}}).values
    assert (len(efa["floors"]), efa["machine"]["ultraServerMode"]) == (1, 1)


def test_logical_cores_follow_ones_own_lnc(choose: Choose) -> None:
    given = {"machine": {"logicalNcConfig": 1, "neuronDevices": 4}}
    values = choose("neuron-serving", "train-trn2", claim="c", given=given).values
    assert (values["machine"]["neuronCores"], values["model"]["tensorParallelSize"]) == (32, 32)


def test_values_of_ones_own_win(choose: Choose) -> None:
    chosen = choose("neuron-serving", "train-trn2", claim="c", given={"machine": {"cpu": "9"}, "replicas": 3})
    assert (chosen.values["machine"]["cpu"], chosen.values["replicas"]) == ("9", 3)
    assert chosen.values["machine"]["nodeGroup"] == "trn2"


@pytest.mark.parametrize(
    ("gateway", "expected"),
    [
        ({"enabled": True}, SubnetTier.PRIVATE),
        ({"enabled": True, "scheme": "internet-facing"}, SubnetTier.PUBLIC),
        ({"enabled": True, "kind": "httproute"}, None),
        ({"enabled": False}, None),
    ],
)
def test_the_subnets_of_the_load_balancer_may_call(
    gateway: dict[str, Any], expected: SubnetTier | None, choose: Choose, cached_plan: Callable[..., ClusterPlan]
) -> None:
    values = choose("neuron-serving", "train-trn2", claim="c", given={"gateway": gateway}).values
    network = cached_plan("train-trn2").network
    cidrs = values.get("networkPolicy", {}).get("cidrs")
    assert cidrs == (None if expected is None else [subnet.cidr for subnet in network.subnets_of(expected)])
    assert cidrs != []


def test_without_public_subnets_the_chart_asks_for_callers(choose: Choose) -> None:
    given = {"gateway": {"enabled": True, "scheme": "internet-facing"}}
    private = {"network.nat": "none", "eks.image_cache": True, "eks.addons": {"jobset": False}}
    there = {**private, "eks.installed_otherwise": ["efa_device_plugin", "jobset"]}
    assert choose("neuron-serving", "train-trn1", there, claim="c", given=given).values["networkPolicy"]["cidrs"] == []


def test_callers_of_ones_own_win(choose: Choose) -> None:
    given = {"gateway": {"enabled": True}, "networkPolicy": {"cidrs": ["10.9.0.0/16"]}}
    values = choose("neuron-serving", "train-trn2", claim="c", given=given).values
    assert values["networkPolicy"] == {"cidrs": ["10.9.0.0/16"]}


def test_the_image_is_of_the_environments_sdk_with_the_digest_of_the_lock(choose: Choose, catalog: Any) -> None:
    tag = choose("neuron-serving", "train-trn2", claim="c").values["image"]["tag"]
    assert "sdk2.32.0" in tag
    image = next(row.image for row in catalog.containers if row.tag == tag)
    digest = f"sha256:{'a' * 64}"
    assert (
        choose("neuron-serving", "train-trn2", digests={image: digest}, claim="c").values["image"]["digest"] == digest
    )


def test_an_older_image_is_a_warning_with_the_newest_there_is(choose: Choose) -> None:
    chosen = choose("neuron-serving", "train-trn1", claim="c")
    assert chosen.values["engine"] == "vllm_nxd"
    assert "sdk2.31.1" in chosen.values["image"]["tag"]
    assert "W9216" in [found.id for found in chosen.findings]


def test_a_bucket_is_for_what_has_a_prefix_in_it_and_the_claim_for_the_rest(choose: Choose) -> None:
    values = choose("neuron-training", "train-trn2", bucket="runs", claim="c").values
    assert values["compileCache"] == {"url": "s3://runs/compile-cache", "claim": ""}
    assert values["checkpoints"] == {"claim": "c", "folder": "checkpoints"}


def test_places_of_ones_own_are_left_alone(choose: Choose) -> None:
    given = {"weights": {"source": "s3", "url": "s3://m/llama", "sizeGib": 9}}
    chosen = choose("neuron-serving", "train-trn2", given=given)
    assert chosen.values["weights"] == {"source": "s3", "url": "s3://m/llama", "sizeGib": 9, "claim": ""}


def test_without_checkpoints_a_training_job_is_warned(choose: Choose) -> None:
    findings = choose("neuron-training", "train-trn2").findings
    assert {(found.id, found.location.path) for found in findings} == {
        ("W9215", "checkpoints"),
        ("W9215", "compileCache"),
    }
    assert any("train-trn2-storage" in found.hint for found in findings)


def test_a_server_is_in_a_queue_only_if_the_user_names_one(choose: Choose) -> None:
    """Kueue deletes pods that are not Ready in time, and an empty cache takes longer."""
    edits = {"eks.node_groups.1.queue": "research"}
    assert choose("neuron-serving", "train-trn2", edits, claim="c").values["queue"] == {"name": ""}
    queued = choose("neuron-serving", "train-trn2", edits, claim="c", queue="research")
    assert queued.values["queue"] == {"name": "research"}


def test_a_warmer_is_in_a_queue_only_with_devices(choose: Choose) -> None:
    """Kueue never admits a pod without devices to nodes with a network topology."""
    edits = {"eks.node_groups.1.queue": "research", "eks.node_groups.1.network_topology": True}
    on_devices = {"machine": {"neuronDevices": 4}}
    assert choose("compile-cache-warmer", "train-trn2", edits, claim="c").values["queue"] == {"name": ""}
    chosen = choose("compile-cache-warmer", "train-trn2", edits, claim="c", given=on_devices)
    assert chosen.values["queue"] == {"name": "research"}


@pytest.mark.parametrize("chart", ["collectives-check", "neuron-training"])
def test_jobs_wait_in_the_groups_own_queue_when_kueue_runs(chart: str, choose: Choose) -> None:
    edits = {"eks.node_groups.1.queue": "research"}
    assert choose(chart, "train-trn2", edits).values["queue"]["name"] == "research"
    assert choose(chart, "train-trn2", edits, queue="").values["queue"]["name"] == ""
    assert choose(chart, "train-trn2", {"eks.node_groups.1.queue": None}).values["queue"]["name"] == ""


def test_the_image_comes_through_the_environments_cache(choose: Choose) -> None:
    repository = choose("collectives-check", "train-trn2", {"eks.image_cache": True}).values["image"]["repository"]
    assert ".dkr.ecr.us-east-2." in repository
    assert repository.endswith("/neuron/jax-training-neuronx")


def test_a_daemon_set_of_a_later_day_fits_beside_a_job_that_has_the_whole_node(choose: Choose) -> None:
    """neuron-monitor asks for 266m and 512 MiB: on a full node it is Pending, or evicts the job."""
    chosen = choose("collectives-check", "train-trn2")
    machine, node = chosen.values["machine"], chosen.node
    assert node.allocatable["cpu"] - int(machine["cpu"]) * 1000 >= 2000
    assert node.allocatable["memory"] - machine["memoryGib"] * GIB >= 8 * GIB


def test_nodes_of_a_job_are_close_in_the_network_where_the_group_asks_for_it(choose: Choose) -> None:
    edits = {"eks.node_groups.1.network_topology": True}
    layer = "topology.k8s.aws/network-node-layer-3"

    def topology(environment: str, edits: dict[str, Any] | None = None, **asked: Any) -> Any:
        return choose("neuron-training", environment, edits, claim="c", **asked).values["queue"]["topology"]

    assert topology("train-trn2", edits, nodes=2) == layer
    assert topology("train-trn2", nodes=2) == ""
    assert topology("train-trn2", edits, nodes=1) == ""
    assert topology("train-trn2", edits, nodes=2, given={"machine": {"neuronDevices": 4}}) == ""
    addons = {"kueue": True, "neuron_device_plugin": True, "efa_device_plugin": True, "jobset": True}
    ultraservers = {**edits, "eks.node_groups.1.queue": "research", "eks.addons": addons}
    assert topology("train-trn2u", ultraservers, nodes=4) == ""
    assert topology("train-trn2u", ultraservers, nodes=4, given={"ultraServer": {"size": 0}}) == layer


def test_a_job_of_many_nodes_may_restart_more_often(choose: Choose) -> None:
    """At 0.04 % of instance-hours 30 nodes fail five times in two weeks."""
    edits = {"eks.node_groups.1.count": {"min": 0, "desired": 0, "max": 30}}

    def restarts(nodes: int, **given: Any) -> Any:
        return choose("neuron-training", "train-trn1", edits, claim="c", nodes=nodes, given=given).values["restarts"]

    assert [restarts(nodes)["max"] for nodes in (1, 16, 30)] == [3, 3, 5]
    assert restarts(30, restarts={"max": 1})["max"] == 1
