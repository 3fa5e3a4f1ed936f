"""Images whose driver has left a chip behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_software import asked_software, outlives_chip
from neuron_cluster.rules.base import LockRule, Violation
from neuron_cluster.rules.nearest_software import nearest_ami_release
from neuron_cluster.rules.wording import listed

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.catalog.chip import Chip
    from neuron_cluster.config.environment import EnvironmentConfig
    from neuron_cluster.lock.model import Lock
    from neuron_cluster.rules.asked_software import AskedSoftware, NeuronHost


class ChipOutlivedByDriver(LockRule):
    """The driver of the image still drives the chip of its machine.

    Only a warning: public sources disagree about the last driver for AWS Inferentia, and the EKS image goes back to an
    old one by itself when it boots on that chip.

    Without it: AWS answers nothing. The nodes become Ready without a Neuron device, or with a driver from years ago
    that no container of today works with.
    """

    id = "W5032"
    source = "awslabs/amazon-eks-ami: templates/al2023; aws-neuron/aws-neuron-sdk: about-neuron/announcements"
    references = ("awslabs/amazon-eks-ami#2579", "aws/amazon-ecs-ami#557")

    def check(self, config: EnvironmentConfig, catalog: Catalog, lock: Lock | None) -> Iterator[Violation]:
        asked = asked_software(config, catalog, lock)
        for host in asked.hosts:
            chip = catalog.chip(host.instance_type.chip or "")
            if chip is None or chip.driver_below is None or not (host.is_newest or outlives_chip(host, catalog)):
                continue
            doubt = chip.doubt_about("driver_below")
            brings = f"{host.image} brings driver {host.driver}"
            if host.is_newest:
                brings = "its image brings the newest driver on the day of creation"
            yield Violation(
                host.path,
                f"{host.name} is {host.instance_type.name}, and {brings}, but {chip.title} needs a driver "
                f"below {chip.driver_below}" + (f"; in doubt: {doubt}" if doubt else ""),
                _way_out(host, chip, asked, catalog),
            )


def _way_out(host: NeuronHost, chip: Chip, asked: AskedSoftware, catalog: Catalog) -> str:
    """The nearest image with a driver for the chip, and the family that comes after it."""
    types = [row.name for row in catalog.instance_types if row.launchable and row.family == chip.successor]
    other = f"set instance_type: {listed(types, 'or')}" if types else "take other machines"
    release = None
    if asked.kubernetes_version is not None and not host.is_workstation:
        release = nearest_ami_release(host, (), asked.kubernetes_version, catalog)
    if release is None:
        return (
            f"{other}: no known image for this Kubernetes version has such a driver"
            if asked.kubernetes_version
            else other
        )
    version = release.release_version(asked.kubernetes_version or "")
    return f"set ami_release to {version} (driver {release.driver}), or {other}"
