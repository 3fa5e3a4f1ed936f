from __future__ import annotations

from neuron_cluster.catalog.version import version_key
from neuron_cluster.compatibility.neuron_software import neuron_hosts, releases_of
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.framework_hints import describe_releases


class ChipUnsupportedByOlderSdk(Rule):
    """The Neuron SDK already supports the Neuron chip of every instance type (`instance_type`).

    The release is that of the containers for the instance type, else of its DLAMI, else neuron.sdk.

    Without this check AWS reports no error. The driver of that release does not detect the device, and the compiler
    has no target for it.
    """

    id = "E5084"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch and release-notes"
    proposes = ("containers",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        config = context.environment.config
        for host in neuron_hosts(context.environment, catalog, context.lock):
            chip = catalog.chips.get(host.instance_type.chip or "")
            first = chip.first_sdk if chip is not None else None
            if chip is None or first is None:
                continue
            earlier = [each for each in releases_of(host, config, catalog) if version_key(each) < version_key(first)]
            if earlier:
                yield Violation(
                    (*host.machine_path, "instance_type"),
                    f"{host.name} is {host.instance_type.name} with {chip.title}, which Neuron SDK {first} is the "
                    f"first to support, but {describe_releases(earlier, host, config, catalog)}",
                    f"set neuron.sdk to {first} or newer, with containers of that release",
                )
