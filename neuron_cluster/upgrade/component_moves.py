"""Comparison of the components of two Neuron SDK releases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.catalog.neuron_sdk import NeuronSdk

PARTS = {
    "driver": "driver",
    "runtime": "runtime",
    "collectives": "collectives",
    "tools": "tools",
    "compiler": "compiler (neuronx-cc)",
    "torch_neuronx": "torch-neuronx (XLA)",
    "torch_neuron_native": "TorchNeuron (native PyTorch)",
    "jax_neuronx": "jax-neuronx",
    "libneuronxla": "libneuronxla",
    "nxd_core": "NxD Core",
    "nxd_inference": "NxD Inference",
    "nxd_training": "NxD Training",
    "vllm_neuron": "vllm-neuron",
    "nki": "NKI",
    "oci_hook": "OCI hook",
    "kubernetes_parts": "device plugin packages",
    "efa_installer": "EFA installer",
    "python": "Python",
    "host_operating_systems": "tested host operating systems",
}
"""Fields of a release, each with its display name."""

NOT_KNOWN, NOT_LISTED = "not known", "not listed"


class ComponentMove(Struct, frozen=True):
    """One component before and after.

    Versions are those of the release, ``not known``, or ``not listed`` where its packages do not include it.
    """

    part: str
    """The field of the release."""
    title: str
    before: str
    after: str
    doubt_before: str | None = None
    """Why the version before is not certain."""
    doubt_after: str | None = None

    @property
    def kind(self) -> str:
        """``moves``, ``stays``, ``new``, ``gone`` or ``not known``."""
        if NOT_KNOWN in (self.before, self.after):
            return "not known"
        if self.before == self.after:
            return "stays"
        if self.before == NOT_LISTED:
            return "new"
        return "gone" if self.after == NOT_LISTED else "moves"


def component_moves(before: NeuronSdk, after: NeuronSdk) -> tuple[ComponentMove, ...]:
    """Every component that has a version in at least one of the two releases."""
    moves = (
        ComponentMove(
            part,
            title,
            describe_version(before, part),
            describe_version(after, part),
            before.doubt_about(part),
            after.doubt_about(part),
        )
        for part, title in PARTS.items()
    )
    return tuple(move for move in moves if {move.before, move.after} - {NOT_KNOWN, NOT_LISTED})


def describe_version(sdk: NeuronSdk, part: str) -> str:
    """The version or versions of a component in a release."""
    value = getattr(sdk, part)
    if value is None:
        return NOT_LISTED if part in sdk.absent else NOT_KNOWN
    return ", ".join(value) if isinstance(value, tuple) else str(value)
