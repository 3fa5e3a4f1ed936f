from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.chip import Chip
from neuron_cluster.compatibility.nearest_software import nearest_ami_release
from neuron_cluster.compatibility.neuron_software import neuron_software_set
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.neuron_host import NeuronHost, outlives_chip
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations


class ChipUnsupportedByDriver(Rule):
    """The driver of the AMI supports the Neuron chip of its instance type (`ami_release`).

    Only a warning: public sources disagree about the last driver for AWS Inferentia, and the EKS AMI installs an old
    one when it boots on that Neuron chip.

    Without this check AWS reports no error. The nodes become Ready without a Neuron device, or with an old driver that
    current containers do not support.
    """

    id = "W5032"
    needs = Needs.LOCK
    source = "awslabs/amazon-eks-ami: templates/al2023; aws-neuron/aws-neuron-sdk: about-neuron/announcements"
    proposes = ("ami_release",)
    references = ("awslabs/amazon-eks-ami#2579", "aws/amazon-ecs-ami#557")

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        software = neuron_software_set(context.environment, catalog, context.lock)
        for host in software.hosts:
            chip = catalog.chips.get(host.instance_type.chip or "")
            if chip is None or chip.driver_below is None or not (host.is_newest or outlives_chip(host, catalog)):
                continue
            doubt = chip.doubt_about("driver_below")
            driver = f"{host.image} has driver {host.driver}"
            if host.is_newest:
                driver = "its AMI has the newest driver on the day of creation"
            yield Violation(
                host.path,
                f"{host.name} is {host.instance_type.name}, and {driver}, but {chip.title} requires a driver "
                f"below {chip.driver_below}" + (f"; in doubt: {doubt}" if doubt else ""),
                _way_out(host, chip, catalog),
            )


def _way_out(host: NeuronHost, chip: Chip, catalog: Catalog) -> str:
    """The nearest AMI with a driver for the chip, and the instance types of its successor."""
    types = [row.name for row in catalog.instance_types if row.launchable and row.family == chip.successor]
    other = f"set instance_type: {listed(types, 'or')}" if types else "use other instance types"
    release = None
    if host.kubernetes_version is not None:
        release = nearest_ami_release(host, (), host.kubernetes_version, catalog)
    if release is None:
        return (
            f"{other}: no known AMI for this Kubernetes version has such a driver" if host.kubernetes_version else other
        )
    version = release.release_version(host.kubernetes_version or "")
    return f"set ami_release to {version} (driver {release.driver}), or {other}"
