"""Keys of a server of models in the text of a template: a framework, a Neuron SDK release with it, and a bucket."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.framework import Framework
from neuron_cluster.catalog.version import version_key
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.starter.block_edit import Lines, with_keys
from neuron_cluster.upgrade.file_edit import scalar_values

SERVERS = ("vllm", "vllm_nxd", "torch_neuron")
"""Frameworks of charts/neuron-serving, the usual one first."""
DURABLE = (
    "# durable: the stacks that hold state get termination protection, and `destroy` leaves them whole.",
    "lifecycle: durable",
)
STORAGE = (
    "",
    "storage:",
    "  # Weights are below teams/serving/, graphs below compile-cache/. It survives `destroy`.",
    "  checkpoint_bucket: {}",
    "  # Graphs that charts/compile-cache-warmer compiles: a new replica loads them instead of compiling.",
    "  compile_cache: {}",
)
NAMESPACES = (
    "namespaces:",
    "  - name: serving",
    "    # Service accounts with a role for `teams/serving/` of the bucket, for `serviceAccount.name` of the charts:",
    "    # charts/model-store writes the weights there, charts/neuron-serving reads them, and the graphs.",
    "    bucket_access:",
    "      - {service_account: store, access: write}",
    "      - {service_account: server, access: read}",
)


def with_server(text: str, path: KeyPath, catalog: Catalog) -> str:
    """The text with what it lacks of a framework for the Neuron chip of the instances at ``path``, the Neuron SDK
    release with it, and a bucket for weights. Unchanged where it names frameworks."""
    values = scalar_values(text)
    row = catalog.instance_types.get(values[(*path, "instance_type")])
    sdk = values.get(("neuron", "sdk"))
    names_frameworks = any(key[:2] == ("neuron", "frameworks") for key in values)
    if path[0] != "eks" or row is None or row.chip is None or sdk is None or names_frameworks:
        return text
    found = next(_servers(row.chip, sdk, catalog), None)
    if found is not None:
        text = with_keys(text, ("neuron",), _neuron(found, sdk), after="sdk")
    if not any(key[0] == "storage" for key in values):
        text = with_keys(with_keys(text, (), {"storage": STORAGE}, after="network"), (), {"lifecycle": DURABLE})
        text = with_keys(text, ("eks",), {"namespaces": NAMESPACES}, after="access")
    return text


def _servers(chip: str, sdk: str, catalog: Catalog) -> Iterator[tuple[Framework, str]]:
    """Each framework that runs on the chip, with this SDK release or the newest that has it; the first is to be used.

    One that runs with this release comes before those that need another.
    """
    later: list[tuple[Framework, str]] = []
    for framework in filter(None, map(catalog.frameworks.get, SERVERS)):
        releases = [each.name for each in catalog.neuron_sdks if framework.runs_on(chip, each.name)]
        if sdk in releases:
            yield framework, sdk
        elif releases:
            later.append((framework, max(releases, key=version_key)))
    yield from later


def _neuron(found: tuple[Framework, str], sdk: str) -> dict[str, Lines]:
    framework, release = found
    keys: dict[str, Lines] = {}
    if release != sdk:
        keys["sdk"] = (f"# The newest release with {framework.title} for the Neuron chip.", f"sdk: {release}")
    return {**keys, "frameworks": (f"frameworks: [{framework.name}]",)}
