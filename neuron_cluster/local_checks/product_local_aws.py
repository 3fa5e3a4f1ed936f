"""A local AWS with the facts and the rules of the toolkit."""

from __future__ import annotations

from pathlib import Path

from local_aws.server import LocalAws
from neuron_cluster.local_checks.catalog_knowledge import CATALOG_KNOWLEDGE


def product_local_aws(
    port: int = 0,
    *,
    principals_must_exist: bool = False,
    is_fresh_account: bool = False,
    files_in: Path | None = None,
) -> LocalAws:
    """``LocalAws`` with the catalog, the template rules, the log group keeper and Kueue."""
    from neuron_cluster.local_checks.checks import CHECKS
    from neuron_cluster.local_checks.kueue import KUEUE
    from neuron_cluster.local_checks.log_group_keeper import LogGroupKeeperProvider

    return LocalAws(
        port,
        principals_must_exist=principals_must_exist,
        is_fresh_account=is_fresh_account,
        files_in=files_in,
        knowledge=CATALOG_KNOWLEDGE,
        checks=CHECKS,
        providers=(LogGroupKeeperProvider,),
        controllers=(KUEUE,),
    )
