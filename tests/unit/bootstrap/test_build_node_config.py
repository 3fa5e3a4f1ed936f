"""The configuration of nodeadm, and the result of its merge."""

import json

import pytest

from neuron_cluster.bootstrap.build_node_config import build_node_config
from neuron_cluster.catalog.catalog import load_catalog

CATALOG = load_catalog()
RAID0 = {"localStorage": {"strategy": "RAID0"}}


def spec(*, joins_disks: bool, has_efa: bool) -> dict:
    text = build_node_config(CATALOG, joins_disks=joins_disks, has_efa=has_efa)
    return json.loads(text)["spec"] if text is not None else {}


@pytest.mark.parametrize("joins_disks", [False, True])
@pytest.mark.parametrize("has_efa", [False, True])
def test_each_part_is_there_where_it_is_needed(joins_disks: bool, has_efa: bool):
    found = spec(joins_disks=joins_disks, has_efa=has_efa)
    assert found.get("instance") == (RAID0 if joins_disks else None)
    assert ("containerd" in found) == has_efa


def test_containers_of_nodes_with_efa_lock_more_memory_than_any_machine_has():
    limits = {
        each["type"]: each
        for each in spec(joins_disks=False, has_efa=True)["containerd"]["baseRuntimeSpec"]["process"]["rlimits"]
    }
    maximum = max(row.memory_gib for row in CATALOG.instance_types if row.memory_gib) * 2**30
    assert limits["RLIMIT_MEMLOCK"]["soft"] == limits["RLIMIT_MEMLOCK"]["hard"] > 10 * maximum
    assert limits["RLIMIT_NOFILE"] == {"type": "RLIMIT_NOFILE", "soft": 65536, "hard": 1048576}


def test_no_number_is_changed_by_the_floats_through_which_nodeadm_merges():
    text = build_node_config(CATALOG, joins_disks=True, has_efa=True)
    exact = json.loads(text)
    as_floats = json.loads(text, parse_int=float)
    assert exact == as_floats
    rlimits = as_floats["spec"]["containerd"]["baseRuntimeSpec"]["process"]["rlimits"]
    assert all(float(each[end]).is_integer() and each[end] < 2**53 for each in rlimits for end in ("soft", "hard"))


def test_images_are_pulled_in_parallel_by_a_feature_gate_alone_or_beside_the_rest():
    alone = json.loads(build_node_config(CATALOG, joins_disks=False, has_efa=False, pulls_in_parallel=True))["spec"]
    assert alone == {"featureGates": {"FastImagePull": True}}
    both = json.loads(build_node_config(CATALOG, joins_disks=True, has_efa=False, pulls_in_parallel=True))["spec"]
    assert both == {"instance": RAID0, "featureGates": {"FastImagePull": True}}
