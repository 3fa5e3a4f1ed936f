from __future__ import annotations

from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class LogicalNcConfigNotSupported(Rule):
    """The instance type supports the logical NeuronCore configuration (`logical_nc_config`).

    Without this check AWS reports no error. The configuration file on the node is ignored or stops the runtime
    (nrt_init fails), and pods see a different number of NeuronCores than their job was compiled for.
    """

    id = "E3010"
    source = "aws-neuron/aws-neuron-sdk: about-neuron/arch/neuron-features/logical-neuroncore-config.rst"
    proposes = ("logical_nc_config",)

    def check(self, context: RuleContext) -> Violations:
        for group in context.environment.cluster_groups:
            given, row = group.spec.logical_nc_config, group.instance_type
            configs = row.logical_nc_configs if row is not None else None
            if given is None or row is None or configs is None or given in configs:
                continue
            support = f"supports only {listed(configs, 'or')}"
            yield Violation(
                (*group.path, "logical_nc_config"),
                f"logical_nc_config is {given}, but {row.name} {support if group.is_neuron else 'has no NeuronCores'}",
                "remove logical_nc_config to use the default of the instance type",
            )
