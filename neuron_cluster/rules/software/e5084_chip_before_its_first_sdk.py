"""Chips that the Neuron SDK does not support yet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from neuron_cluster.catalog.version import version_key
from neuron_cluster.compatibility.neuron_software import neuron_hosts, releases_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import ConfigRule, Violation

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.resolved.environment import ResolvedEnvironment


class ChipBeforeItsFirstSdk(ConfigRule):
    """The Neuron SDK supports the chip of every machine already.

    A machine is compared with the release of the containers that are made for it; without any, with that of its DLAMI
    or with neuron.sdk.

    Without this check AWS reports no error. The driver of that release does not know the device, and the compiler has
    no target for it.
    """

    id = "E5084"
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch and release-notes"
    proposes = ("containers",)

    def check(self, environment: ResolvedEnvironment, catalog: Catalog) -> Iterator[Violation]:
        config = environment.config
        for host in neuron_hosts(environment, catalog, None):
            chip = catalog.chip(host.instance_type.chip or "")
            first = chip.first_sdk if chip is not None else None
            if chip is None or first is None:
                continue
            earlier = [each for each in releases_of(host, config, catalog) if version_key(each) < version_key(first)]
            if earlier:
                yield Violation(
                    (*host.machine_path, "instance_type"),
                    f"{host.name} is {host.instance_type.name} with {chip.title}, which Neuron SDK {first} was the "
                    f"first to support, but it is to run Neuron SDK {listed(dict.fromkeys(earlier))}",
                    f"set neuron.sdk to {first} or newer, with containers of that release",
                )
