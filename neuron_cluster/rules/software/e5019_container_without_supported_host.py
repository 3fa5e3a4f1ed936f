from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.container import Container
from neuron_cluster.compatibility.neuron_software import known_containers, neuron_hosts
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.neuron_host import NeuronHost
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ContainerWithoutSupportedHost(Rule):
    """Every container supports a Neuron instance type of the file (`neuron.containers`).

    Without this check AWS reports no error. Nodes pull an image of several GB, and the job fails when the compiler or
    the runtime detects a Neuron chip that its framework does not support.
    """

    id = "E5019"
    source = (
        "aws-neuron/deep-learning-containers: README.md; aws-neuron/aws-neuron-sdk: deploy/environments/dlc-images.rst"
    )

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        hosts = tuple(neuron_hosts(context.environment, context.catalog, None))
        for position, container in known_containers(config, context.catalog):
            if hosts and not any(context.catalog.container_runs_on(container, host.instance_type) for host in hosts):
                machines = listed(dict.fromkeys(host.instance_type.name for host in hosts))
                yield Violation(
                    ("neuron", "containers", position),
                    f"{container.name} supports {listed(container.families)}, but the Neuron instance types of the "
                    "file "
                    f"are {machines}",
                    _way_out(container, hosts, context.catalog),
                )


def _way_out(container: Container, hosts: tuple[NeuronHost, ...], catalog: Catalog) -> str:
    """The newest image of the same repository for one of the instances, else instances for the image."""
    for each in catalog.containers:
        if each.repository == container.repository:
            for host in hosts:
                if catalog.container_runs_on(each, host.instance_type):
                    return f"use {each.name}, the newest one for {host.instance_type.family}, or other instance types"
    return f"use instance types of {listed(container.families, 'or')}, or an image for those of the file"
