"""The account and Region of a training plan, for rules of the sections that name one."""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.config.environment_config import EnvironmentConfig
from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Violation, Violations


def plan_of_another_place(path: KeyPath, plan_arn: str, config: EnvironmentConfig, catalog: Catalog) -> Violations:
    """The violation of a plan that is not in the account and Region of the file. ``path`` has the key ``capacity``."""
    _, partition, _, region, account, *_ = plan_arn.split(":")
    known = catalog.regions.get(config.region)
    if known is None:  # rule E6001
        return
    differ = [
        f"{word} {given} instead of {own}"
        for word, given, own in (
            ("partition", partition, known.partition),
            ("Region", region, config.region),
            ("account", account, config.account),
        )
        if given != own
    ]
    if differ:
        yield Violation(
            (*path, "capacity", "plan_arn"),
            f"the ARN of the training plan has {listed(differ)}",
            f"copy TrainingPlanArn from `aws sagemaker list-training-plans --region {config.region}` in account "
            f"{config.account}",
        )
