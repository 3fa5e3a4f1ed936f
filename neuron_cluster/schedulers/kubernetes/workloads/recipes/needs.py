"""Software that several charts need, in the same words."""

from neuron_cluster.schedulers.kubernetes.workloads.recipe import ComponentNeed

DEVICES = ComponentNeed("neuron_device_plugin", "always (or neuron_dra_driver)", instead="neuron_dra_driver")
EFA_PLUGIN = ComponentNeed("efa_device_plugin", "beyond one node")
KUEUE = ComponentNeed("kueue", "with a queue")
