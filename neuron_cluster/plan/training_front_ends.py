"""Front ends of the program neuron-training, whichever scheduler starts it."""

from __future__ import annotations

from collections.abc import Mapping

TRAINING: Mapping[str, str] = {"jax": "jax", "torchtitan": "torchtitan", "nxd": "torch_neuronx_training"}
"""Front ends of neuron-training with the frameworks in whose images they run, the usual one first."""
