"""Releases of the AWS Neuron SDK and the versions of their components."""

from __future__ import annotations

from datetime import date

from neuron_cluster.catalog.sourced_row import SourcedRow


class NeuronSdk(SourcedRow, frozen=True, kw_only=True):
    """One release (``name`` is ``2.32.0``).

    A component is None when no source states its version, or when ``absent`` lists it: the list of packages of the
    release, which is the source, does not name it. Another package or a container may still have it.
    ``driver`` is aws-neuronx-dkms, ``runtime`` aws-neuronx-runtime-lib, ``collectives`` aws-neuronx-collectives,
    ``tools`` aws-neuronx-tools, ``compiler`` neuronx-cc. Components with several versions at once are tuples.
    """

    released: date | None
    driver: str | None
    runtime: str | None
    collectives: str | None
    tools: str | None
    compiler: str | None
    torch_neuronx: tuple[str, ...] | None
    torch_neuron_native: tuple[str, ...] | None
    jax_neuronx: str | None
    libneuronxla: tuple[str, ...] | None
    nxd_core: str | None
    nxd_inference: str | None
    nxd_training: str | None
    vllm_neuron: str | None
    nki: str | None
    oci_hook: str | None
    kubernetes_parts: str | None
    efa_installer: str | None
    absent: tuple[str, ...]
    python: tuple[str, ...] | None
    host_operating_systems: tuple[str, ...] | None
