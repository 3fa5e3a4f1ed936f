"""NodeConfig as nodeadm documents it: what it does not know cannot be written."""

from __future__ import annotations

import json

import pytest
from msgspec import ValidationError
from msgspec.json import decode

from neuron_cluster.bootstrap.node_config import LARGEST_EXACT, NodeConfig, rlimits


def test_what_is_written_is_read_again_as_the_same() -> None:
    text = '{"spec": {"containerd": {"baseRuntimeSpec": {"process": {}}}}}'
    written = decode(text, type=NodeConfig).text()
    assert decode(written, type=NodeConfig).text() == written


def test_rlimits_are_those_of_the_oci_runtime_specification() -> None:
    assert rlimits({"RLIMIT_NOFILE": (1, 2)}) == {
        "process": {"rlimits": [{"type": "RLIMIT_NOFILE", "soft": 1, "hard": 2}]}
    }


@pytest.mark.parametrize("number", [0, -1, LARGEST_EXACT + 1, 2**64 - 1])
def test_a_limit_that_nodeadm_would_not_write_as_it_was_given_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="RLIMIT_MEMLOCK"):
        rlimits({"RLIMIT_MEMLOCK": (number, number)})


@pytest.mark.parametrize(
    "spec",
    [
        {"instance": {"localStorage": {"strategy": "RAID0", "mountpath": "/scratch"}}},
        {"instance": {"localDisks": {"strategy": "RAID0"}}},
        {"instance": {"localStorage": {"strategy": "RAID1"}}},
        {"instance": {"localStorage": {"strategy": "RAID0", "disabledMounts": ["Kubelet"]}}},
        {"instance": {"localStorage": {}}},
        {"kubelet": {"maxPods": 110}},
        {"featureGates": {"FastImagePulls": True}},
        {"cluster": {"name": "EKS says it"}},
    ],
)
def test_a_field_or_word_that_nodeadm_does_not_know_is_refused(spec: dict[str, object]) -> None:
    text = json.dumps({"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec})
    with pytest.raises(ValidationError):
        decode(text, type=NodeConfig)


@pytest.mark.parametrize(
    "spec",
    [
        {"instance": {"localStorage": {"strategy": "Mount", "mountPath": "/scratch", "disabledMounts": ["PodLogs"]}}},
        {"instance": {"environment": {"default": {"HTTPS_PROXY": "http://proxy"}}, "network": {"domains": ["x.y"]}}},
        {"kubelet": {"config": {"maxPods": 110}, "flags": ["--v=2"], "maxPodsExpression": "110"}},
        {"containerd": {"config": "[plugins]", "baseRuntimeSpec": {"process": {}}}, "featureGates": {}},
    ],
)
def test_every_documented_field_is_taken(spec: dict[str, object]) -> None:
    text = json.dumps({"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig", "spec": spec})
    assert json.loads(decode(text, type=NodeConfig).text())["spec"] == spec
