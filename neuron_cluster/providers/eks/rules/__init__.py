"""Rules about the `eks` section, its node groups and its software, in the chapters of `neuron_cluster/rules`."""
