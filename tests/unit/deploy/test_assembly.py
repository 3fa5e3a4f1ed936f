"""Reading an assembly, and writing one from what is deployed."""

from __future__ import annotations

from pathlib import Path

from neuron_cluster.deploy.assembly import read_assembly
from neuron_cluster.deploy.deployed_assembly import write_deployed_assembly
from neuron_cluster.deploy.destination import aws_destination


def test_what_was_written_from_deployed_stacks_is_read_in_their_order(tmp_path: Path) -> None:
    templates = {
        "train-network": {"Resources": {"Vpc": {"Type": "AWS::EC2::VPC"}}},
        "train-cluster": {"Resources": {}},
        "train-nodes": {"Resources": {"A": {}, "B": {}}},
    }
    write_deployed_assembly(tmp_path, aws_destination("210987654321", "eu-north-1"), "aws", templates)
    stacks = read_assembly(tmp_path)
    assert [stack.name for stack in stacks] == list(templates)
    assert [stack.resources for stack in stacks] == [1, 0, 2]
    assert stacks[0].template == templates["train-network"]
    assert [stack.after for stack in stacks] == [(), ("train-network",), ("train-network", "train-cluster")]
