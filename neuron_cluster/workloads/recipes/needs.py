"""Software that several charts need, in the same words."""

from neuron_cluster.workloads.recipe import SoftwareNeed

DEVICES = SoftwareNeed("neuron_device_plugin", "always (or neuron_dra_driver)", instead="neuron_dra_driver")
EFA_PLUGIN = SoftwareNeed("efa_device_plugin", "beyond one node")
KUEUE = SoftwareNeed("kueue", "with a queue")
