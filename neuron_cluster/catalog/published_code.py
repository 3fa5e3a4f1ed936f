"""Digests of the code and programs in packages that the local AWS and the command line run."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow

KUBECTL_FUNCTION = "aws-cdk-lib"
"""The row of CDK's kubectl function; most others are those of kubectl layers, by the names of their packages."""
LOG_GROUP_KEEPER = "log-group-keeper"
"""The row of the toolkit's own function, ``functions/log_group_keeper``."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


class PublishedCode(SourcedRow, frozen=True, kw_only=True):
    """Files of one installed package, or of a function of this project; ``name`` is that of the package or function."""

    package_version: str
    """Empty for the project's own function, which the digest identifies."""
    files: FrozenMap[str, str]
    """SHA-256 in hexadecimal digits, by the path in the archive that is published."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.files or not all(map(_SHA256.fullmatch, self.files.values())):
            yield "files", "each file needs 64 hexadecimal digits"
