from __future__ import annotations

from neuron_cluster.config.source_map import KeyPath, format_path
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class HomeVolumeSharedByWorkstations(Rule):
    """At most one workstation mounts a home volume (`home`).

    Without this check EC2 rejects the second attachment with VolumeInUse: the first instance mounts the home, and the
    other one retries without end.
    """

    id = "E7006"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_AttachVolume.html"
    proposes = ("home", "homes", "storage")

    def check(self, context: RuleContext) -> Violations:
        seen: dict[str, KeyPath] = {}
        for workstation in context.environment.workstations:
            home, path = workstation.spec.home, workstation.path
            if home is not None and (first := seen.setdefault(home, path)) != path:
                yield Violation(
                    (*path, "home"),
                    f"home is {home}, which {format_path(first)} already mounts",
                    "add another home to storage.homes, and set it here",
                    related=(first,),
                )
