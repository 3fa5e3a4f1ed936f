from __future__ import annotations

from neuron_cluster.config.capacity import UltraserverBlock
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class PartialUltraserver(Rule):
    """In an UltraServer block min, desired and max are multiples of the UltraServer's instances (`count`).

    Without this check AWS reports no error. You pay for whole UltraServers, the instances of the last one stay idle,
    and jobs that span an UltraServer wait for its remaining instances.
    """

    id = "E3046"
    source = (
        "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/about-neuron/arch/neuron-hardware/trn2-arch.html; "
        "https://awsdocs-neuron.readthedocs-hosted.com/en/latest/deploy/eks/ultraserver.html"
    )
    proposes = ("desired", "min")

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            unit = group.instance_type.ultraserver if group.instance_type is not None else None
            if unit is None or not isinstance(group.capacity, UltraserverBlock):
                continue
            scaling = group.scaling
            for key, count in (("min", scaling.minimum), ("desired", scaling.desired), ("max", scaling.maximum)):
                if count is not None and count % unit.instances:
                    below = count - count % unit.instances
                    choice = [each for each in (below, below + unit.instances) if each or key != "max"]
                    yield Violation(
                        (*group.path, "count", key),
                        f"{key} is {count}, but an UltraServer has {unit.instances} x {group.spec.instance_type}, "
                        "and a block holds whole UltraServers",
                        f"set {key}: {listed(choice, 'or')}",
                    )
