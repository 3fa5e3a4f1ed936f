"""Whether a model can be divided as a server divides it, and fits the memory of its Neuron cores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.finding import Finding
from neuron_cluster.kubernetes.chart_values import value_at
from neuron_cluster.workloads.context import WorkloadContext
from neuron_cluster.workloads.findings import finding
from neuron_cluster.workloads.model_shape import ModelShape

GIB = 2**30
TENSOR = "model.tensorParallelSize"
CAP_VARIABLE = "env.VLLM_NEURON_KV_GMU_BUDGET_CAP_FRACTION"
OWN_BLOCKS = "--num-gpu-blocks-override"
VLLM, TORCHSERVE = "vllm", "torchserve"


class ServedModel(Struct, frozen=True):
    """A model as the values divide it. ``core_bytes`` is the device memory of one logical core."""

    shape: ModelShape
    tensor: int
    cores: int
    core_bytes: Fraction
    length: int
    """``model.maxModelLen``."""
    requests: int
    """``model.maxNumSeqs``."""
    token_bytes: Fraction
    """Keys and values of one token on one core."""

    @property
    def weights(self) -> Fraction | None:
        """Of one core."""
        return None if self.shape.weight_bytes is None else Fraction(self.shape.weight_bytes, self.tensor)


def model_findings(
    context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape, catalog: Catalog, chart: str
) -> Iterator[Finding]:
    """E9261 for memory and E9262 for heads; W9263 for both where only the name of the model is known.

    ``values`` are complete. The schema of the chart reports those that are not numbers. Models of TorchServe are of
    another kind.
    """
    served = _served(context, values, shape)
    if served is None or value_at(values, "engine") == TORCHSERVE:
        return
    is_vllm = value_at(values, "engine") == VLLM
    found = [("E9262", *each) for each in _not_divisible(served)] if is_vllm else []
    found += [("E9261", *each) for each in (_too_large(served, values, catalog) if is_vllm else _too_large_nxd(served))]
    for finding_id, message, hint in found:
        if shape.is_certain:
            yield finding(finding_id, chart, TENSOR, message, hint)
        else:
            doubt = f"{message} (if {value_at(values, 'model.name')} is {shape.name} in BF16)"
            yield finding("W9263", chart, TENSOR, doubt, f"{hint}; --model-config FILE, its config.json, decides it")


def _served(context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape) -> ServedModel | None:
    keys = (TENSOR, "machine.neuronCores", "machine.neuronDevices", "model.maxModelLen", "model.maxNumSeqs")
    numbers = [value_at(values, key) for key in keys]
    if not all(isinstance(each, int) and each > 0 for each in numbers):
        return None
    tensor, cores, devices, length, requests = numbers
    heads = max(Fraction(shape.key_value_heads, tensor), Fraction(1))
    return ServedModel(
        shape=shape,
        tensor=tensor,
        cores=cores,
        core_bytes=Fraction(context.chip.device_memory_gib * GIB * devices, cores),
        length=length,
        requests=requests,
        token_bytes=Fraction(shape.bytes_per_token, shape.key_value_heads) * heads,
    )


def _not_divisible(served: ServedModel) -> Iterator[tuple[str, str]]:
    """As vLLM checks it (vllm-project/vllm: vllm/config/model.py, verify_with_parallel_config); for groups of heads the
    third rule of aws-neuron/aws-neuron-sdk@81ce03a:tools/neuron-agentic-development/developer_guides for sizes."""
    shape = served.shape
    if not _divides(served.tensor, shape):
        groups = f" and {shape.key_value_heads} of keys and values" if shape.key_value_heads != 1 else ""
        message = (
            f"{served.tensor} cores cannot share the {shape.attention_heads} attention heads{groups} of {shape.name}"
        )
        sizes = [size for size in range(1, served.cores + 1) if _divides(size, shape)]
        yield message, f"set {TENSOR} to {', '.join(map(str, sizes))}"


def _divides(size: int, shape: ModelShape) -> bool:
    heads, groups = shape.attention_heads, shape.key_value_heads
    return heads % size == 0 and (groups % size == 0 or size % groups == 0)


def _too_large(served: ServedModel, values: Mapping[str, Any], catalog: Catalog) -> Iterator[tuple[str, str]]:
    """What vLLM Neuron leaves for the KV cache, which it takes no more of than a share of all
    (aws-neuron/aws-neuron-sdk: vllm-neuron/docs/design/vllm/determine_available_memory_design.md)."""
    if served.weights is None:
        return
    usable = served.core_bytes * _share(_argument(values, "--gpu-memory-utilization"), "vllm_device_memory", catalog)
    left = usable - served.weights
    if left < catalog.limit("vllm_kv_cache").require_minimum() * GIB:
        message = (
            f"{served.shape.name} needs {_gib(served.weights)} GiB of each of {served.tensor} cores, and vLLM uses "
            f"{_gib(usable)} of their {_gib(served.core_bytes)} GiB: nothing is left for the KV cache"
        )
        yield message, f"set {TENSOR} and machine.neuronDevices higher, or use quantized weights"
        return
    cache = min(left, usable * _share(value_at(values, CAP_VARIABLE), "vllm_kv_cache_share", catalog))
    width = Fraction(1, 2) if (_argument(values, "--kv-cache-dtype") or "").startswith("fp8") else Fraction(1)
    one = served.length * served.token_bytes * width
    if one > cache and _argument(values, OWN_BLOCKS) is None:
        fitting = int(cache / (served.token_bytes * width))
        message = (
            f"one request of {served.length} tokens (model.maxModelLen) needs {_gib(one)} GiB of KV cache on each "
            f"core, and {_gib(cache)} GiB are left for it: vLLM does not start"
        )
        yield message, f"set model.maxModelLen to {fitting} at most, or {TENSOR} and machine.neuronDevices higher"


def _too_large_nxd(served: ServedModel) -> Iterator[tuple[str, str]]:
    """NxD Inference allocates the KV cache of all requests at their full length (batch_size and seq_len)."""
    if served.weights is None:
        return
    needed = served.weights + served.requests * served.length * served.token_bytes
    if needed > served.core_bytes:
        message = (
            f"{served.shape.name} with {served.requests} requests of {served.length} tokens needs {_gib(needed)} GiB "
            f"of each of {served.tensor} cores, which have {_gib(served.core_bytes)}"
        )
        yield message, f"set {TENSOR} and machine.neuronDevices higher, or model.maxModelLen and maxNumSeqs lower"


def _share(given: Any, limit: str, catalog: Catalog) -> Fraction:
    """The user's own fraction, else the percentage of the catalog."""
    try:
        return Fraction(str(given)) if given else Fraction(catalog.limit(limit).require_maximum(), 100)
    except (ValueError, ZeroDivisionError):
        return Fraction(1)  # the engine reports it


def _argument(values: Mapping[str, Any], flag: str) -> str | None:
    """Of ``model.extraArgs``, written ``--flag=value`` or as two items."""
    given = value_at(values, "model.extraArgs")
    words = [str(word) for word in given] if isinstance(given, list) else []
    for position, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == flag:
            return value if equals else "".join(words[position + 1 : position + 2])
    return None


def _gib(amount: Fraction) -> str:
    return f"{float(amount / GIB):.1f}"
