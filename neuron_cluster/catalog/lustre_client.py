"""Lustre clients for FSx: the kernels of an operating system that have one, and the file systems that it mounts."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.version import version_key


class ClientKernels(Struct, frozen=True, kw_only=True):
    """Kernels of one series, ``first`` and ``last`` included; None: no end.

    ``client`` is the version of the Lustre client, ``servers`` the versions of file systems that it mounts.
    """

    series: str
    first: str | None
    last: str | None
    client: str
    servers: tuple[str, ...]


class ClientPackage(Struct, frozen=True, kw_only=True):
    """How the client is installed on an instance that runs, and what a mount in /etc/fstab waits for.

    ``repository`` is a line of APT's sources without its type, ``repository_key`` the URL of the key that signs it;
    both are None where the operating system has the package. ``network_unit`` is the systemd unit after which the
    network is there. ``held`` are packages that bring another kernel, which may have no client.
    """

    name: str
    repository: str | None = None
    repository_key: str | None = None
    network_unit: str
    held: tuple[str, ...] = ()


class LustreClient(SourcedRow, frozen=True, kw_only=True):
    """The clients of one operating system, by the name that images have in the catalog (``Amazon Linux 2023``)."""

    kernels: tuple[ClientKernels, ...]
    package: ClientPackage | None = None
    """None where no workstation runs the operating system."""

    @property
    def servers(self) -> tuple[str, ...]:
        """Versions of file systems that at least one of its kernels mounts, the oldest first."""
        return tuple(sorted({server for row in self.kernels for server in row.servers}, key=version_key))

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.kernels:
            yield "kernels", "an operating system without a client has no row"
        for row in self.kernels:
            if any(not end.startswith(f"{row.series}.") for end in (row.first, row.last) if end is not None):
                yield "kernels", f"first and last are not kernels of the series {row.series}"
        if self.package is not None and (self.package.repository is None) != (self.package.repository_key is None):
            yield "package", "a repository and its key come together"
