from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class RootVolumeTooSmall(Rule):
    """The root volume has at least the size that the Neuron documentation requires (`root_volume.size_gib`).

    Neuron images have 20 GB and more, and the compiler writes its cache to the same volume.

    An error although the catalog marks the number as doubtful (the documentation describes single instances, and uses
    GB): a volume cannot be changed without replacing the nodes, and a smaller size is rarely intended.

    Without this check AWS reports no error. Nodes start, their disks fill during a job, and the kubelet evicts pods
    with "The node was low on resource: ephemeral-storage".
    """

    id = "E3008"
    source = "aws-neuron/aws-neuron-sdk: setup (at least 512 GB on Trn1, Trn2 and Trn3)"
    proposes = ("root_volume",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.compute_groups:
            row, volume = group.instance_type, group.spec.root_volume
            minimum = row.root_volume_minimum_gib if row is not None else None
            if volume is not None and minimum is not None and volume.size_gib < minimum:
                yield Violation(
                    (*group.path, "root_volume", "size_gib"),
                    f"size_gib is {volume.size_gib}, but the Neuron documentation requires {minimum} GiB on "
                    f"{group.spec.instance_type}",
                    f"set size_gib: {minimum} or more; the default without root_volume is {minimum}",
                )
