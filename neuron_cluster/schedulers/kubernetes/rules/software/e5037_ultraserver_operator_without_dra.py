from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations
from neuron_cluster.schedulers.kubernetes.listed_types import types_without_dra_driver
from neuron_cluster.schedulers.kubernetes.section import kubernetes_in


class UltraserverOperatorWithoutDra(Rule):
    """The Neuron UltraServer operator requires the DRA driver (`eks.addons.neuron_ultraserver_operator`).

    It allocates whole UltraServers to workloads through resource claims. Rule E5028 checks the requirements of the
    driver (Kubernetes 1.34 and nodes of 1.34.2).

    Without this check helm rejects the release, and the software stack rolls back.
    """

    id = "E5037"
    source = (
        "aws-neuron/neuron-helm-charts: charts/neuron-helm-chart/templates (fail); "
        "aws-neuron/aws-neuron-sdk: deploy/eks/ultraserver-operator.rst"
    )
    proposes = ("neuron_dra_driver", "neuron_ultraserver_operator")

    def check(self, context: RuleContext) -> Violations:
        cluster = kubernetes_in(context.environment.config)
        if cluster is None:
            return
        if cluster.flag("neuron_ultraserver_operator") and not cluster.flag("neuron_dra_driver"):
            lacking = types_without_dra_driver(context.environment, context.catalog)
            yield Violation(
                (*cluster.path, "addons", "neuron_ultraserver_operator"),
                "neuron_ultraserver_operator is true, but neuron_dra_driver, which it requires, is not",
                f"remove neuron_ultraserver_operator: the DRA driver does not run on {listed(lacking)}"
                if lacking
                else "set neuron_dra_driver: true, or remove neuron_ultraserver_operator",
            )
