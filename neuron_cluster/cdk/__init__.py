"""Constructs for CDK apps of others: a network, launch templates, node groups and storage for Neuron instances.

docs/constructs.md lists them with their parameters. What this package exports is a public API; the modules below it and
the package ``stacks`` are not.
"""

from neuron_cluster.cdk.efa_security_group import EfaSecurityGroup
from neuron_cluster.cdk.invalid_parameters import InvalidParameters
from neuron_cluster.cdk.lustre_file_system import LustreFileSystem
from neuron_cluster.cdk.neuron_bucket import NeuronBucket
from neuron_cluster.cdk.neuron_launch_template import NeuronLaunchTemplate
from neuron_cluster.cdk.neuron_network import NeuronNetwork
from neuron_cluster.cdk.neuron_node_group import NeuronNodeGroup

__all__ = [
    "EfaSecurityGroup",
    "InvalidParameters",
    "LustreFileSystem",
    "NeuronBucket",
    "NeuronLaunchTemplate",
    "NeuronNetwork",
    "NeuronNodeGroup",
]
