"""Neuron devices of a request, by whatever resource name it counts them: whole devices, or cores of devices.

The device plugin publishes each device under two names, as one ``aws.amazon.com/neuron`` and as its logical cores
(``aws.amazon.com/neuroncore``): https://docs.aws.amazon.com/eks/latest/userguide/device-management-neuron.html.
"""

from __future__ import annotations

from collections.abc import Mapping

from local_kubernetes.model.names import NEURON, NEURON_CORE, NEURON_RESOURCES

Amounts = Mapping[str, int]
"""Amounts by resource name."""


def requests_devices(requests: Amounts) -> bool:
    """Whether any Neuron device is requested."""
    return any(requests.get(name, 0) for name in NEURON_RESOURCES)


def requested_devices(requests: Amounts, cores_per_device: int) -> int:
    """Devices that a pod occupies: a device of which it has one core is taken from all others that want it whole.

    ``cores_per_device`` are logical cores at the LNC of the node; 0 where they are not known: each core then counts as
    a device, which is never less than what the pod occupies.
    """
    return requests.get(NEURON, 0) + -(-requests.get(NEURON_CORE, 0) // max(cores_per_device, 1))


def cores_per_device(allocatable: Amounts) -> int:
    """Logical cores of a device of a node; 0 where it does not publish both names."""
    devices = allocatable.get(NEURON, 0)
    return allocatable.get(NEURON_CORE, 0) // devices if devices else 0


def is_unpublished(name: str) -> bool:
    """Whether it has the domain of the Neuron device plugin, which publishes no such resource."""
    return name.startswith(f"{NEURON.partition('/')[0]}/") and name not in NEURON_RESOURCES
