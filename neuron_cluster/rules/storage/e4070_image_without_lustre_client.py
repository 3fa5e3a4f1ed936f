from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.findings.text import listed
from neuron_cluster.resolved.compute_group import ClusterGroup
from neuron_cluster.resolved.dlami_group import DlamiGroup
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ImageWithoutLustreClient(Rule):
    """The operating system of each group has a Lustre client when the environment has a file system (`lustre`).

    Workstations are checked by E4101, where they mount it.

    Without this check the deploy succeeds, and each mount fails: "No such device. Are the lustre modules loaded?"
    """

    id = "E4070"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/lustre-client-matrix.html"

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        if storage is None or storage.lustre is None:
            return
        for group in context.environment.cluster_groups:
            system = group.image.operating_system if group.image is not None else None
            if system is None or context.catalog.lustre_clients.get(system) is not None:
                continue
            with_client = listed(row.name for row in context.catalog.lustre_clients)
            yield Violation(
                group.image_path if isinstance(group, DlamiGroup) else (*group.path, "instance_type"),
                f"{group.name} runs {system}, for which FSx has no Lustre client; there are clients for {with_client}",
                _hint(group, context.catalog),
            )


def _hint(group: ClusterGroup, catalog: Catalog) -> str:
    without = "remove lustre from storage"
    if not isinstance(group, DlamiGroup):
        return f"{without}, or use an instance type whose AMI type has a client"
    family = group.instance_type.family if group.instance_type is not None else None
    fitting = [
        row.name
        for row in catalog.dlamis
        if row.successor is None
        and catalog.lustre_clients.get(row.operating_system) is not None
        and (family is None or family in row.families)
    ]
    return f"set dlami: {listed(fitting, 'or')}, or {without}" if fitting else without
