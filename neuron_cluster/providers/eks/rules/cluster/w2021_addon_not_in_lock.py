from __future__ import annotations

from neuron_cluster.providers.eks.config.cluster import Eks
from neuron_cluster.rules.base import LOCK_IT, Needs, Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.components import enabled_components
from neuron_cluster.schedulers.kubernetes.software.managed_addons import addon_names


class AddonNotInLock(Rule):
    """The lock pins every managed add-on of the cluster (`eks.addons`).

    An edit can add an add-on that is not in the lock: the node monitoring agent with node repair, the FSx CSI driver
    with a file system.

    Without this check AWS reports no error. EKS uses its default version of the day, and two environments from the
    same file and lock differ. No later deploy updates such an add-on: its template does not change with `eks.version`,
    so that `deploy` rejects that edit (E9020).
    """

    id = "W2021"
    needs = Needs.LOCK
    source = "https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateAddon.html (addonVersion)"

    def check(self, context: RuleContext) -> Violations:
        environment, catalog, lock = context.environment, context.catalog, context.lock
        eks = environment.config.section(Eks)
        if eks is None or lock is None or lock.kubernetes_version != eks.version:  # else rule E2020
            return
        missing = [
            name for name in addon_names(enabled_components(environment, catalog), catalog) if name not in lock.addons
        ]
        if missing:
            yield Violation(
                ("eks", "addons"),
                f"the lock has no version of {', '.join(missing)}, so EKS would use its default version of the day",
                f"run `{LOCK_IT}` again",
            )
