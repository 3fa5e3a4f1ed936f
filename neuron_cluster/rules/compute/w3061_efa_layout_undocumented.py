from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfaLayoutUndocumented(Rule):
    """The EFA layout is documented for Neuron instance types (`efa`).

    Only a warning: the EC2 guide may still recommend it.

    Without this check AWS reports no error. Instances start, but an unusual interface layout, for example for the
    interfaces that the VPC CNI counts, shows only when pods get no address or collectives fall back to TCP.
    """

    id = "W3061"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html; catalog: interface_layouts"
    proposes = ("efa",)
    references = ("terraform-aws-modules/terraform-aws-eks#3653",)

    def check(self, context: RuleContext) -> Violations:
        certain = [row.name for row in context.catalog.interface_layouts if row.has_efa and not row.doubt]
        for group in context.environment.cluster_groups:
            if group.efa_layout is None or group.instance_type is None:
                continue
            doubt = context.catalog.interface_layouts[group.efa_layout].doubt_about("interfaces")
            if doubt is not None:
                yield Violation(
                    (*group.path, "efa"),
                    f"efa is {group.efa_layout}, which is not verified for {group.instance_type.name}: {doubt}",
                    f"set efa: {certain[0]}, or test {group.efa_layout} on a few instances first",
                )
