from __future__ import annotations

from neuron_cluster.providers.pcs.config.cluster import Slurm
from neuron_cluster.rules.base import Needs, Rule, RuleContext, Violation, Violations

DAYS = 90
"""Warned so long before the end: an update needs a new AMI."""


class SlurmVersionNearEndOfSupport(Rule):
    """The Slurm version is not near the end of its support (`slurm.version`).

    Checked for the date of `--as-of` (default: today); synthesis has no date. Only a warning: a cluster that runs is
    updated in place, and the dates of one version differ between copies of the page.

    Without this check PCS rejects a new cluster after the end of support, and suspends one that runs within 12 months.
    """

    id = "W2102"
    needs = Needs.DATE
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-versions.html"

    def check(self, context: RuleContext) -> Violations:
        as_of = context.as_of
        slurm = context.environment.config.section(Slurm)
        row = context.catalog.slurm_versions.get(slurm.version) if slurm is not None else None
        if row is None or (row.support_ends - as_of).days > DAYS:
            return
        lasting = [each.name for each in context.catalog.slurm_versions if (each.support_ends - as_of).days > DAYS]
        doubt = row.doubt_about("support_ends")
        ends = f"support {'ended' if row.support_ends <= as_of else 'ends'} on {row.support_ends}"
        yield Violation(
            ("slurm", "version"),
            f"version is {row.name}, whose {ends}" + (f" ({doubt})" if doubt is not None else ""),
            f"set version: {lasting[0]}, with an AMI that has it"
            if lasting
            else "no version of the catalog has longer support: look for a newer release of this toolkit",
        )
