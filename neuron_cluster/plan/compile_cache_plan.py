"""The compile cache of an environment: compiled graphs below one prefix of its checkpoint bucket."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath

COMPILE_CACHE_PREFIX = "compile-cache/"
"""In the checkpoint bucket."""
EXPIRY_RULE = "expire-compile-cache"
"""Id of the lifecycle rule that deletes its graphs."""
WRITER, READER = "compile-cache-writer", "compile-cache-reader"
"""Service accounts: the writer is in one namespace, a reader in each."""
CONFIG_MAP = "compile-cache"
"""In each namespace, with the address of the cache."""
CACHE_URL_VARIABLE = "COMPILE_CACHE_URL"
"""The variable of pods with the address that the ConfigMap has."""


class CompiledFor(Struct, frozen=True):
    """What the graphs of a group are compiled for: a folder of the compile cache."""

    group: str
    compiler: str
    """Version of neuronx-cc, of the SDK of the group's DLAMI, else of that of the environment."""
    target: str
    """Chip family, such as ``trn2``."""
    logical_nc_config: int | None
    """None: the instance type has no choice, and no variable is set."""

    @property
    def folder(self) -> str:
        """As the bundled charts name it."""
        return f"neuronx-cc-{self.compiler}/{self.target}/lnc-{self.logical_nc_config or 'default'}"


class CompileCachePlan(Struct, frozen=True):
    """The compile cache in the checkpoint bucket."""

    path: KeyPath
    prefix: str
    """In the bucket, with a slash at its end."""
    expire_days: int
    compiled_for: tuple[CompiledFor, ...]
