from __future__ import annotations

from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class ExistingLustreDnsName(Rule):
    """`dns_name` of a file system that exists begins with its `file_system_id` and names the Region of the environment.

    FSx forms the name as `fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com`.

    Without this check pods mount another file system than the one that the plan and the association are about.
    """

    id = "E4143"
    source = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/mounting-on-premises.html"

    def check(self, context: RuleContext) -> Violations:
        config = context.environment.config
        lustre = config.storage.lustre if config.storage is not None else None
        if lustre is None or lustre.existing is None:
            return
        existing = lustre.existing
        wanted = f"{existing.file_system_id}.fsx.{config.region}."
        if not existing.dns_name.startswith(wanted):
            yield Violation(
                ("storage", "lustre", "existing", "dns_name"),
                f"dns_name is {existing.dns_name}, but that of {existing.file_system_id} begins with {wanted}",
                f"write the DNSName that `aws fsx describe-file-systems --file-system-ids {existing.file_system_id}` "
                f"returns, or correct file_system_id; the file system is in {config.region}",
            )
