"""Images that are the newest of the day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_workstation import asked_workstations
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class ImageNotPinned(ConfigRule):
    """A workstation pins its image.

    Without it: an update may replace the machine, for instance a larger root volume, and the new one starts from the
    image of that day: with another Neuron SDK, and without the virtual environment that it was set up with.
    """

    id = "W7010"
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst"
    threads = ("aws-neuron/aws-neuron-sdk#655", "huggingface/optimum-neuron#572")

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        for asked in asked_workstations(config, catalog):
            dlami = asked.dlami
            if dlami is None or asked.workstation.ami_id or config.region in dlami.regions_without_parameter:
                continue  # else rules E7001, E7009
            yield Problem(
                (*asked.path, "ami_id"),
                f"{asked.workstation.name} pins no image: an update may replace the machine by one with the newest "
                f"{dlami.name} of that day",
                f"set ami_id to what `aws ssm get-parameter --region {config.region} --name {dlami.ssm_parameter}` "
                "answers",
            )
