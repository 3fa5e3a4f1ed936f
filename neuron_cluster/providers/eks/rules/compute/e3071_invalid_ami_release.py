from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.providers.eks.node_groups import node_groups
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations


class InvalidAmiRelease(Rule):
    """EKS can have published the AMI release (`ami_release`, the lock).

    A release version ends with its build date. No AMI is older than its Kubernetes version, and the catalog has the
    patch version of each known build. Releases of other dates may exist: `deploy` checks them (E9543).

    Without this check EKS rejects the node group with InvalidParameterException, "Requested release version
    1.35.0-20200101 is not valid for kubernetes version 1.35".
    """

    id = "E3071"
    needs = Needs.LOCK
    source = "awslabs/amazon-eks-ami: CHANGELOG.md; https://docs.aws.amazon.com/eks/latest/userguide/eks-linux-ami-versions.html"
    proposes = ("ami_release",)

    def check(self, context: RuleContext) -> Violations:
        lock = context.lock
        config = context.environment.config
        for group in node_groups(context.environment):
            kind = group.instance_type.eks_ami_type if group.instance_type is not None else None
            locked = lock.ami_releases.get(kind or "") if lock is not None else None
            given = group.spec.ami_release
            release = given or (locked.release_version if locked is not None else None)
            why = context.catalog.why_impossible_release(release) if release is not None else None
            if why is None:
                continue
            known = _newest(config, context.catalog)
            edit = f"set ami_release: {known}, or remove ami_release" if given and known else "remove ami_release"
            yield Violation(
                (*group.path, "ami_release") if given else group.path,
                f"ami_release {release}{'' if given else ' of the lock'} cannot exist: {why}",
                edit if given else f"run `{LOCK_IT}`, which writes a new lock",
            )


def _newest(config: EnvironmentConfig, catalog: Catalog) -> str | None:
    """The newest release of the cluster's Kubernetes version in the catalog."""
    eks = config.section(Eks)
    version = eks.version if eks is not None else ""
    return next((known for row in catalog.ami_releases if (known := row.release_version(version))), None)
