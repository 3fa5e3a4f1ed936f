"""Neuron Deep Learning AMIs (DLAMIs): SSM parameters, virtual environments, instance families."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.neuron_sdk import NeuronSdk
from neuron_cluster.catalog.sourced_row import SourcedRow


class Dlami(SourcedRow, frozen=True, kw_only=True):
    """One DLAMI. ``virtual_environments`` maps a short name to its directory in the image, the default first.

    ``neuron_sdk`` is the release of the newest image on ``checked_on``; the parameter changes with every release.
    ``successor`` is the DLAMI to move to once newer releases do not build this one; None while they do.
    """

    title: str
    ssm_prefix: str
    operating_system: str
    login_user: str
    root_device_name: str
    root_volume_gib: int
    families: tuple[str, ...]
    virtual_environments: FrozenMap[str, str]
    neuron_sdk: str
    regions_without_parameter: tuple[str, ...]
    successor: str | None
    efs_client: str | None = None
    """Package of the EFS mount helper in the repositories of the operating system; None without one."""

    @property
    def ssm_parameter(self) -> str:
        """The SSM parameter with the newest AMI id of a Region."""
        return f"{self.ssm_prefix}/latest/image_id"

    @property
    def virtual_environment_names(self) -> tuple[str, ...]:
        """Short names, the default first."""
        return tuple(self.virtual_environments)

    @property
    def default_virtual_environment(self) -> str | None:
        """Short name of the one that is activated by default; None when the image has none."""
        return next(iter(self.virtual_environments), None)

    def release_in(self, image_name: str, releases: Iterable[NeuronSdk]) -> str | None:
        """The SDK release in an image of this kind: the newest one that was published until the date in its name.

        ``releases`` are all of the catalog, the newest first. None where the name ends in no date. Names carry no
        release. Their dates are up to a month after that of the release, and before the next one
        (``Deep Learning AMI Neuron (Ubuntu 24.04) 20260227`` with 2.28, 20260410 with 2.29, 20260708 with 2.31: READMEs
        of public repositories, 2026).
        """
        match = re.search(r"(?<![0-9])(20[0-9]{6})$", image_name)
        if match is None:
            return None
        if self.successor is not None:  # later builds repair the operating system and keep the release
            return self.neuron_sdk
        day = f"{match[1][:4]}-{match[1][4:6]}-{match[1][6:]}"
        return next((row.name for row in releases if row.released is not None and str(row.released) <= day), None)

    def contradictions(self) -> Iterator[tuple[str, str]]:
        if not self.families:
            yield "families", "an image that supports no instance family is of no use"
        if not self.ssm_prefix.startswith("/aws/service/"):
            yield "ssm_prefix", "is not a public parameter of AWS"
