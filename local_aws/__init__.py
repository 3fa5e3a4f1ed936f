"""The embedded AWS. It knows nothing of Neuron clusters and imports nothing of ``neuron_cluster``."""
