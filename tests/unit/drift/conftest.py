"""Environments on a local AWS, deployed from their golden templates, and their drift."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from local_aws.server import LocalAws
from neuron_cluster.aws.resource_source import ResourceSource
from neuron_cluster.aws.session import LocalTarget, client, close_clients
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed
from neuron_cluster.deploy.local_server import make_named_resources
from neuron_cluster.drift.environment_drift import DeployedEnvironment, read_drift
from neuron_cluster.drift.records import EnvironmentDrift
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.stack_table import stack_keys_of_deploy
from tests.golden_stacks import deploy_goldens

CHECKOUT = Path(__file__).parents[3]
CATALOG = load_catalog()
AT = datetime(2026, 1, 1, tzinfo=UTC)
FOLDERS = (CHECKOUT / "environments", CHECKOUT / "tests" / "fixtures" / "environments")


class Environment(NamedTuple):
    """A deployed environment, and the local AWS that has it."""

    aws: LocalAws
    plan: ClusterPlan
    target: LocalTarget

    def client(self, service: str) -> Any:
        return client(self.target, service)

    def deployed(self, source: ResourceSource | None = None) -> DeployedEnvironment:
        names = [self.plan.stack_name(stack_key) for stack_key in stack_keys_of_deploy()]
        return DeployedEnvironment(self.target, self.plan.account, names, CATALOG, source)

    def drift(self, source: ResourceSource | None = None) -> EnvironmentDrift:
        return read_drift(self.plan.name, self.deployed(source), datetime.now(UTC))


Deployed = Callable[..., Environment]


@pytest.fixture(scope="module")
def aws() -> Iterator[LocalAws]:
    with product_local_aws() as running:
        yield running


@pytest.fixture(scope="module")
def deployed(aws: LocalAws) -> Iterator[Deployed]:
    """``deployed("dev-inf2")``; with ``parts`` only these stacks."""
    targets: list[LocalTarget] = []

    def deploy(name: str, stack_keys: tuple[str, ...] | None = None) -> Environment:
        file = next(path for folder in FOLDERS if (path := folder / f"{name}.yaml").is_file())
        plan = check_environment(file).require_plan()
        target = LocalTarget(plan.region, plan.account, aws.endpoint)
        targets.append(target)
        destination = local_destination(aws.endpoint, plan.account, plan.region)
        bootstrap_if_needed(CHECKOUT, destination, lambda _: None)
        make_named_resources(aws.endpoint, plan)
        deploy_goldens(target, plan, stack_keys)
        return Environment(aws, plan, target)

    yield deploy
    for target in targets:
        close_clients(target)
