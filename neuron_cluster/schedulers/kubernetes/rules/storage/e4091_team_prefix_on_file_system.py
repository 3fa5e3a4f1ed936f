from __future__ import annotations

from neuron_cluster.config.namespace import LUSTRE, Namespace
from neuron_cluster.findings.text import listed
from neuron_cluster.plan.bucket_access_plan import team_prefix
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_namespaces import listed_namespaces


class TeamPrefixOnFileSystem(Rule):
    """The prefix of a namespace with roles is not on a file system that others mount (`storage.lustre.sync.prefix`).

    FSx copies files to the prefix with its own role, whichever pod wrote them. Namespaces with the claim `lustre` mount
    the whole file system.

    Without this check pods of another namespace read, change and delete objects that no role of theirs may read.
    """

    id = "E4091"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"
    proposes = ("prefix", "claims")

    def check(self, context: RuleContext) -> Violations:
        storage = context.environment.config.storage
        sync = storage.lustre.sync if storage is not None and storage.lustre is not None else None
        if sync is None:
            return
        namespaces = [each.spec for each in listed_namespaces(context.environment.config)]
        for namespace in namespaces:
            own = team_prefix(namespace.name)
            others = [each.name for each in namespaces if each.name != namespace.name and _mounts(each)]
            if namespace.bucket_access and others and _overlap(own, f"{sync.prefix}/"):
                yield Violation(
                    ("storage", "lustre", "sync", "prefix"),
                    f"prefix is {sync.prefix}, and {own} is that of the namespace {namespace.name}: the file system "
                    f"is also mounted in {listed(others, 'and')}",
                    f"write another prefix, such as checkpoints, or set `claims: []` for {listed(others, 'and')}",
                )


def _mounts(namespace: Namespace) -> bool:
    """Whether it has the claim, which is the default with a file system."""
    return namespace.claims is None or LUSTRE in namespace.claims


def _overlap(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
