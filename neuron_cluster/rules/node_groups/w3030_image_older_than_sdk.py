"""Drivers from before the SDK."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.rules.asked_node_group import asked_node_groups
from neuron_cluster.rules.base import ConfigRule, Problem

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment import EnvironmentConfig


class ImageOlderThanSdk(ConfigRule):
    """The pinned image of a Neuron group is not older than the Neuron SDK of the environment.

    An image has the driver that was newest on the day it was built; the date is the end of its release. Only a
    warning: most neighbours work together, and the release notes say which do not.

    Without it: AWS answers nothing. Containers of the SDK meet an older driver, and where the two do not fit, every
    job ends in nrt_init with "not compatible with installed aws-neuronx-dkms".
    """

    id = "W3030"
    source = "aws-neuron/aws-neuron-sdk: release-notes/components/runtime.rst; awslabs/amazon-eks-ami: CHANGELOG.md"
    threads = (
        "aws-neuron/aws-neuron-sdk#655",
        "aws-neuron/aws-neuron-sdk#812",
        "awslabs/amazon-eks-ami#1662",
    )

    def check(self, config: EnvironmentConfig, catalog: Catalog) -> Iterator[Problem]:
        sdk = catalog.neuron_sdk(config.neuron.sdk)
        if sdk is None or sdk.released is None:  # unknown: rule E6005
            return
        for asked in asked_node_groups(config, catalog):
            built = (asked.group.ami_release or "").rpartition("-")[2]
            if asked.is_neuron and built and built < f"{sdk.released:%Y%m%d}":
                yield Problem(
                    (*asked.path, "ami_release"),
                    f"ami_release is {asked.group.ami_release}, built before Neuron SDK {sdk.name} came out "
                    f"({sdk.released}), {_driver(built, catalog)}",
                    f"pin a release of {sdk.released} or later, or set neuron.sdk to what your containers have",
                )


def _driver(built: str, catalog: Catalog) -> str:
    """What is known of the driver in an image of this day (YYYYMMDD), to be read after a comma."""
    known = [row for row in catalog.neuron_sdks if row.released is not None and row.driver is not None]
    newest = next((row for row in known if f"{row.released:%Y%m%d}" <= built), None)  # the newest first
    return f"with driver {newest.driver} or older" if newest is not None else "with an older driver"
