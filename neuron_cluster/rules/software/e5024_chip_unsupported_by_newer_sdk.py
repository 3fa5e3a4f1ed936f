from __future__ import annotations

from neuron_cluster.catalog.version import version_key
from neuron_cluster.compatibility.neuron_software import neuron_hosts, releases_of
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.rules.framework_hints import describe_releases


class ChipUnsupportedByNewerSdk(Rule):
    """The Neuron SDK still supports the Neuron chip of every instance type (`instance_type`).

    The release is that of the containers for the instance type, else of its DLAMI, else neuron.sdk.

    Without this check AWS reports no error. The instance starts and is billed, but has no working Neuron device or no
    framework for it.
    """

    id = "E5024"
    needs = Needs.LOCK
    source = "aws-neuron/aws-neuron-sdk: deploy/environments/dlami.rst and about-neuron/announcements"
    references = ("awslabs/amazon-eks-ami#2579", "aws/amazon-ecs-ami#557")

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        config = context.environment.config
        for host in neuron_hosts(context.environment, catalog, context.lock):
            chip = catalog.chips.get(host.instance_type.chip or "")
            if chip is None or chip.last_sdk is None:
                continue
            later = [
                each for each in releases_of(host, config, catalog) if version_key(each) > version_key(chip.last_sdk)
            ]
            if later:
                types = [row.name for row in catalog.instance_types if row.launchable and row.family == chip.successor]
                ways = [f"set neuron.sdk: {chip.last_sdk}"] if host.dlami is None else []
                ways += [f"set instance_type: {listed(types, 'or')}"] if types else []
                yield Violation(
                    (*host.machine_path, "instance_type"),
                    f"{host.name} is {host.instance_type.name} with {chip.title}, which Neuron SDK {chip.last_sdk} is "
                    f"the last to support, but {describe_releases(later, host, config, catalog)}",
                    ", or ".join(ways) or f"use Neuron SDK {chip.last_sdk} on it",
                )
