"""Software of the AMI of Slurm nodes: versions, addresses of the files, and what proves their origin."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from neuron_cluster.catalog.sourced_row import SourcedRow
from neuron_cluster.catalog.table import Table

AGENT, ENROOT = "pcs_agent", "enroot"
INSTALLER, PYXIS = "slurm", "pyxis"
"""Prefixes of the names of rows for one Slurm version."""


class SoftwareFile(Struct, frozen=True, kw_only=True):
    """A file to download. ``url`` may hold ``{region}`` and ``{version}``.

    ``fingerprint`` is that of the primary key behind ``signing_key``, which signs ``<url>.sig``. ``sha256`` is None
    where a signature proves the origin, or no source has the checksum. ``folder`` is what an archive unpacks to.
    """

    url: str
    operating_systems: tuple[str, ...] = ()
    """Empty: all of them."""
    signing_key: str | None = None
    fingerprint: str | None = None
    sha256: str | None = None
    folder: str | None = None


class SlurmSoftware(SourcedRow, frozen=True, kw_only=True):
    """One product in one version, which is ``doubt``ed where no source has all of its facts."""

    title: str
    version: str
    slurm_version: str | None
    """The Slurm version that it is, or is built for; None: for all."""
    files: tuple[SoftwareFile, ...]

    def files_for(self, operating_system: str) -> tuple[SoftwareFile, ...]:
        """Empty where it is not published for the operating system."""
        return tuple(
            each for each in self.files if not each.operating_systems or operating_system in each.operating_systems
        )

    def address(self, url: str, region: str) -> str:
        """A URL of its files in a Region."""
        return url.format(region=region, version=self.version)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        for each in self.files:
            if (each.signing_key is None) != (each.fingerprint is None):
                yield "files", f"{each.url}: a signing key has a fingerprint"
            if not each.url.startswith("https://"):
                yield "files", f"{each.url}: not downloaded by HTTPS"
            if each.fingerprint is None and each.sha256 is None and "files" not in self.doubt:
                yield "files", f"{each.url}: has neither a signature nor a checksum, nor a doubt about it"


class SlurmSoftwareTable(Table[SlurmSoftware]):
    def installer(self, slurm_version: str) -> SlurmSoftware | None:
        """None for a Slurm version whose installer no source names."""
        return self._of_version(INSTALLER, slurm_version)

    def pyxis(self, slurm_version: str) -> SlurmSoftware | None:
        """None for a Slurm version that no source builds it for."""
        return self._of_version(PYXIS, slurm_version)

    def _of_version(self, kind: str, slurm_version: str) -> SlurmSoftware | None:
        return self.get(f"{kind}_{slurm_version.replace('.', '_')}")
