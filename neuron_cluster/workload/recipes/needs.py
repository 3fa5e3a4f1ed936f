"""Software that several charts need, in the same words."""

from neuron_cluster.workload.recipe import SoftwareNeed

DEVICE_PLUGIN = SoftwareNeed("neuron_device_plugin", "always: its pods ask for aws.amazon.com/neuron")
EFA_PLUGIN = SoftwareNeed("efa_device_plugin", "beyond one node")
KUEUE = SoftwareNeed("kueue", "with a queue")
