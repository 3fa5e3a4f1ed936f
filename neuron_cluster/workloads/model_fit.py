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
from neuron_cluster.workloads.host_memory import host_shortfalls
from neuron_cluster.workloads.model_division import division_problems
from neuron_cluster.workloads.model_shape import ModelShape
from neuron_cluster.workloads.program_options import option_of

GIB = 2**30
TENSOR, MEMORY = "model.tensorParallelSize", "machine.memoryGib"
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
    """E9261 for device memory, E9262 for sizes that cores do not divide, E9297 and W9298 for the memory of the host;
    W9263 for what is in doubt, or where only the name of the model is known.

    ``values`` are complete. The schema of the chart reports those that are not numbers. Models of TorchServe are of
    another kind.
    """
    served, engine = _served(context, values, shape), str(value_at(values, "engine"))
    if served is None or engine == TORCHSERVE:
        return
    for each in division_problems(shape, engine, tensor=served.tensor, cores=served.cores):
        yield _about(each.id, each.message, f"set {TENSOR} to {_listed(each.sizes)}", values, shape, chart)
    for message, hint in _too_large(served, values, catalog) if engine == VLLM else _too_large_nxd(served):
        yield _about("E9261", message, hint, values, shape, chart)
    yield from host_findings(context, context.group.machine.instance_type, values, shape, catalog, chart)


def _listed(sizes: tuple[int, ...]) -> str:
    return ", ".join(map(str, sizes))


def _about(
    finding_id: str, message: str, hint: str, values: Mapping[str, Any], shape: ModelShape, chart: str
) -> Finding:
    if shape.is_certain:
        return finding(finding_id, chart, TENSOR, message, hint)
    doubt = f"{message} (if {value_at(values, 'model.name')} is {shape.name} in BF16)"
    return finding("W9263", chart, TENSOR, doubt, f"{hint}; --model-config FILE, its config.json, decides it")


def host_findings(
    context: WorkloadContext,
    instance_type: str,
    values: Mapping[str, Any],
    shape: ModelShape,
    catalog: Catalog,
    chart: str,
) -> Iterator[Finding]:
    """E9297 or W9298: the memory of the node, then that of the pod."""
    memory = value_at(values, MEMORY)
    share = (MEMORY, float(memory)) if isinstance(memory, int) and memory > 0 else None
    row = catalog.instance_type(instance_type)
    for each in host_shortfalls(shape, context.chip, row, share, catalog):
        hint = f"set {MEMORY}={each.needed_gib}, as far as the nodes have it"
        if each.is_of_host:
            hint = f"use a group of a type with {each.needed_gib} GiB of memory, or a model with smaller weights"
        yield finding(each.id, chart, MEMORY, each.message, f"{hint} (the command recommend compares types)")


def _served(context: WorkloadContext, values: Mapping[str, Any], shape: ModelShape) -> ServedModel | None:
    keys = (TENSOR, "machine.neuronCores", "machine.neuronDevices", "model.maxModelLen", "model.maxNumSeqs")
    numbers = [value_at(values, key) for key in keys]
    if not all(isinstance(each, int) and each > 0 for each in numbers):
        return None
    tensor, cores, devices, length, requests = numbers
    is_latent = shape.sizes is not None and shape.sizes.latent_size is not None
    part = Fraction(1) if is_latent else max(Fraction(1, tensor), Fraction(1, shape.key_value_heads))
    return ServedModel(
        shape=shape,
        tensor=tensor,
        cores=cores,
        core_bytes=Fraction(context.chip.device_memory_gib * GIB * devices, cores),
        length=length,
        requests=requests,
        token_bytes=shape.bytes_per_token * part,
    )


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
    """Of ``model.extraArgs``."""
    given = value_at(values, "model.extraArgs")
    return option_of([str(word) for word in given] if isinstance(given, list) else [], flag)


def _gib(amount: Fraction) -> str:
    return f"{float(amount / GIB):.1f}"
