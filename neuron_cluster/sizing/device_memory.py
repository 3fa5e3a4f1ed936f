"""Whether the part of a served model fits the device memory of a core: the only calculation, for charts and jobs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.sizing.model_shape import ModelShape
from neuron_cluster.sizing.program_options import option_of

GIB = 2**30
VLLM, VLLM_NXD = "vllm", "vllm_nxd"
CAP_VARIABLE = "VLLM_NEURON_KV_GMU_BUDGET_CAP_FRACTION"
OWN_BLOCKS = "--num-gpu-blocks-override"


class Names(Struct, frozen=True, kw_only=True):
    """Keys or options that set the sizes, for messages and hints."""

    tensor: str
    devices: str
    length: str
    requests: str


class ServedModel(Struct, frozen=True, kw_only=True):
    """A model as a server divides it. ``arguments`` are further arguments of the engine."""

    shape: ModelShape
    chip: Chip
    tensor: int
    devices: int
    cores: int
    """Logical cores of the devices."""
    length: int
    """Tokens of a request; 0 where it is not known."""
    requests: int
    arguments: tuple[str, ...]
    cache_share: Any
    """The user's value of ``CAP_VARIABLE``; empty for none."""
    names: Names

    @property
    def core_bytes(self) -> Fraction:
        """Device memory of one logical core."""
        return Fraction(self.chip.device_memory_gib * GIB * self.devices, self.cores)

    def token_bytes(self, catalog: Catalog) -> Fraction:
        """Keys and values of one token on one core."""
        is_latent = self.shape.sizes is not None and self.shape.sizes.latent_size is not None
        part = Fraction(1) if is_latent else max(Fraction(1, self.tensor), Fraction(1, self.shape.key_value_heads))
        return self.shape.bytes_per_token(catalog) * part


def device_shortfall(served: ServedModel, engine: str, catalog: Catalog) -> tuple[str, str] | None:
    """A message and a hint; None where the model fits, or where the bytes of its weights are not known."""
    if served.shape.weight_bytes is None:
        return None
    weights = Fraction(served.shape.weight_bytes, served.tensor)
    if engine == VLLM:
        return _of_vllm(served, weights, catalog)
    return _of_nxd(served, weights, catalog) if engine == VLLM_NXD else None


def _of_vllm(served: ServedModel, weights: Fraction, catalog: Catalog) -> tuple[str, str] | None:
    """Returns message and hint if vLLM Neuron leaves too little for the KV cache, which has at most a share of all
    (aws-neuron/aws-neuron-sdk: vllm-neuron/docs/design/vllm/determine_available_memory_design.md)."""
    names = served.names
    used = option_of(served.arguments, "--gpu-memory-utilization")
    usable = served.core_bytes * _share(used, "vllm_device_memory", catalog)
    left = usable - weights
    if left < catalog.limits["vllm_kv_cache"].require_minimum() * GIB:
        message = (
            f"{served.shape.name} needs {_gib(weights)} GiB of each of {served.tensor} cores, and vLLM uses "
            f"{_gib(usable)} of their {_gib(served.core_bytes)} GiB: nothing is left for the KV cache"
        )
        return message, f"set {names.tensor} and {names.devices} higher, or use quantized weights"
    cache = min(left, usable * _share(served.cache_share, "vllm_kv_cache_share", catalog))
    is_small = (option_of(served.arguments, "--kv-cache-dtype") or "").startswith("fp8")
    token = served.token_bytes(catalog) * (Fraction(1, 2) if is_small else 1)
    if served.length * token <= cache or option_of(served.arguments, OWN_BLOCKS) is not None:
        return None
    message = (
        f"one request of {served.length} tokens ({names.length}) needs {_gib(served.length * token)} GiB of KV cache "
        f"on each core, and {_gib(cache)} GiB are left for it: vLLM does not start"
    )
    fitting = int(cache / token)
    return message, f"set {names.length} to {fitting} at most, or {names.tensor} and {names.devices} higher"


def _of_nxd(served: ServedModel, weights: Fraction, catalog: Catalog) -> tuple[str, str] | None:
    """NxD Inference allocates the KV cache of all requests at their full length (batch_size and seq_len)."""
    names = served.names
    needed = weights + served.requests * served.length * served.token_bytes(catalog)
    if needed <= served.core_bytes:
        return None
    of_cache = f" with {served.requests} requests of {served.length} tokens" if served.length else ""
    message = (
        f"{served.shape.name}{of_cache} needs {_gib(needed)} GiB of each of {served.tensor} cores, which have "
        f"{_gib(served.core_bytes)}"
    )
    lower = names.requests.rpartition(".")[2]
    return message, f"set {names.tensor} and {names.devices} higher, or {names.length} and {lower} lower"


def _share(given: Any, limit: str, catalog: Catalog) -> Fraction:
    """The user's own fraction, else the percentage of the catalog."""
    try:
        return Fraction(str(given)) if given else Fraction(catalog.limits[limit].require_maximum(), 100)
    except (ValueError, ZeroDivisionError):
        return Fraction(1)  # the engine reports it


def _gib(amount: Fraction) -> str:
    return f"{float(amount / GIB):.1f}"
